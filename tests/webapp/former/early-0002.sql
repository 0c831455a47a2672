BEGIN TRANSACTION;
CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
INSERT INTO "alembic_version" VALUES('0002');
CREATE TABLE games (
	code VARCHAR(6) NOT NULL, 
	created DATETIME NOT NULL, 
	revealed DATETIME, 
	host VARCHAR(64) NOT NULL, 
	revision INTEGER NOT NULL, 
	schema INTEGER NOT NULL, 
	state JSON NOT NULL, 
	CONSTRAINT pk_games PRIMARY KEY (code)
);
CREATE TABLE readings (
	id VARCHAR(16) NOT NULL, 
	created DATETIME NOT NULL, 
	revision INTEGER NOT NULL, 
	schema INTEGER NOT NULL, 
	state JSON NOT NULL, 
	CONSTRAINT pk_readings PRIMARY KEY (id)
);
INSERT INTO "readings" VALUES('bVyt9Kb4KPAicWPS','2026-11-29 10:04:35.000000',1,1,'{"board":"-- G4 R2 Y5 P6 / R3 B1 -- G1 Y2 / P5 G6 -- P6 R3 / B4 Y3 G4 B2 G4","size":[400,300],"reading":{"seconds":0.2,"corners":[[100.0,100.0],[600.0,100.0],[600.0,500.0],[100.0,500.0]],"board":"-- G4 R2 Y5 P6 / R3 B1 -- G1 Y2 / P5 G6 -- P6 R3 / B4 Y3 G4 B2 G4","pattern":"????? / ????? / ????? / ?????","window":{"name":"Fractal Drops","probability":0.9},"upright_probability":0.99,"other_windows":0,"cells":[{"row":0,"column":0,"color":null,"value":null,"confidence":0.99,"doubtful":false,"alternatives":[]},{"row":0,"column":1,"color":"G","value":4,"confidence":0.99,"doubtful":false,"alternatives":[]},{"row":0,"column":2,"color":"R","value":2,"confidence":0.99,"doubtful":false,"alternatives":[]},{"row":0,"column":3,"color":"Y","value":5,"confidence":0.6,"doubtful":true,"alternatives":[{"color":"Y","value":4,"probability":0.3},{"color":null,"value":null,"probability":0.01}]},{"row":0,"column":4,"color":"P","value":6,"confidence":0.99,"doubtful":false,"alternatives":[]},{"row":1,"column":0,"color":"R","value":3,"confidence":0.99,"doubtful":false,"alternatives":[]},{"row":1,"column":1,"color":"B","value":1,"confidence":0.99,"doubtful":false,"alternatives":[]},{"row":1,"column":2,"color":null,"value":null,"confidence":0.99,"doubtful":false,"alternatives":[]},{"row":1,"column":3,"color":"G","value":1,"confidence":0.99,"doubtful":false,"alternatives":[]},{"row":1,"column":4,"color":"Y","value":2,"confidence":0.99,"doubtful":false,"alternatives":[]},{"row":2,"column":0,"color":"P","value":5,"confidence":0.99,"doubtful":false,"alternatives":[]},{"row":2,"column":1,"color":"G","value":6,"confidence":0.99,"doubtful":false,"alternatives":[]},{"row":2,"column":2,"color":null,"value":null,"confidence":0.99,"doubtful":false,"alternatives":[]},{"row":2,"column":3,"color":"P","value":6,"confidence":0.99,"doubtful":false,"alternatives":[]},{"row":2,"column":4,"color":"R","value":3,"confidence":0.99,"doubtful":false,"alternatives":[]},{"row":3,"column":0,"color":"B","value":4,"confidence":0.99,"doubtful":false,"alternatives":[]},{"row":3,"column":1,"color":"Y","value":3,"confidence":0.99,"doubtful":false,"alternatives":[]},{"row":3,"column":2,"color":"G","value":4,"confidence":0.99,"doubtful":false,"alternatives":[]},{"row":3,"column":3,"color":"B","value":2,"confidence":0.99,"doubtful":false,"alternatives":[]},{"row":3,"column":4,"color":"G","value":4,"confidence":0.99,"doubtful":false,"alternatives":[]}]},"failure":null,"turned":false,"checked":[],"choices":{"public":["Color Variety"],"private":"P","window":"auto","favor":0},"changed":{},"earlier":null}');
INSERT INTO "readings" VALUES('wA_hwFUpuia8WBmG','2026-11-29 10:04:35.000000',1,1,'{"board":"-- -- -- -- -- / -- -- -- -- -- / -- -- -- -- -- / -- -- -- -- --","size":null,"reading":null,"failure":null,"turned":false,"checked":[],"choices":{"public":[],"private":null,"window":"auto","favor":0},"changed":{},"earlier":null}');
CREATE TABLE seats (
	game VARCHAR(6) NOT NULL, 
	number INTEGER NOT NULL, 
	place INTEGER NOT NULL, 
	name VARCHAR(30) NOT NULL, 
	token VARCHAR(64) NOT NULL, 
	record_id VARCHAR(16) NOT NULL, 
	ready BOOLEAN NOT NULL, 
	CONSTRAINT pk_seats PRIMARY KEY (game, number), 
	CONSTRAINT fk_seats_game_games FOREIGN KEY(game) REFERENCES games (code) ON DELETE CASCADE, 
	CONSTRAINT fk_seats_record_id_readings FOREIGN KEY(record_id) REFERENCES readings (id) ON DELETE CASCADE, 
	CONSTRAINT uq_seats_token UNIQUE (token), 
	CONSTRAINT uq_seats_record_id UNIQUE (record_id)
);
CREATE INDEX ix_games_host ON games (host);
COMMIT;
