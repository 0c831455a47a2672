BEGIN TRANSACTION;
CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
INSERT INTO "alembic_version" VALUES('0003');
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
INSERT INTO "games" VALUES('4CRWY9','2026-11-29 10:04:01.544509','2026-11-29 10:04:01.614322','b965c03e134bd1f263d85d6b2227b481918c026556c570ff2a52ded179f23df8',9,1,'{"solo":false,"stage":"revealed","order_known":false,"public":["Row Color Variety","Light Shades","Color Diagonals"],"tools":["Grozing Pliers"],"uses":[],"target":null,"second_private":null,"next_number":3,"closed":false,"changed":{"public":4,"tools":5},"gone":[]}');
INSERT INTO "games" VALUES('MCW7CQ','2026-11-29 10:04:01.618142',NULL,'21897331c298008ee0561c9fac004b87efadb709f3d0cf87b294d89d72ec8881',3,1,'{"solo":false,"stage":"table","order_known":false,"public":[],"tools":[],"uses":[],"target":null,"second_private":null,"next_number":3,"closed":false,"changed":{},"gone":[]}');
CREATE TABLE readings (
	id VARCHAR(16) NOT NULL, 
	created DATETIME NOT NULL, 
	revision INTEGER NOT NULL, 
	schema INTEGER NOT NULL, 
	state JSON NOT NULL, 
	CONSTRAINT pk_readings PRIMARY KEY (id)
);
INSERT INTO "readings" VALUES('1Od7PdJ42ZZUubbm','2026-11-29 10:04:01.000000',2,1,'{"board":"R6 G4 R2 Y5 P6 / R3 B1 -- G1 Y2 / P5 G6 -- P6 R3 / B4 Y3 G4 B2 G4","size":[400,300],"reading":{"seconds":0.2,"corners":[[50.0,50.0],[300.0,50.0],[300.0,250.0],[50.0,250.0]],"board":"-- G4 R2 Y5 P6 / R3 B1 -- G1 Y2 / P5 G6 -- P6 R3 / B4 Y3 G4 B2 G4","pattern":"????? / ????? / ????? / ?????","window":{"name":"Fractal Drops","probability":0.9},"upright_probability":0.99,"other_windows":0,"cells":[{"row":0,"column":0,"color":null,"value":null,"confidence":0.99,"doubtful":false,"alternatives":[]},{"row":0,"column":1,"color":"G","value":4,"confidence":0.99,"doubtful":false,"alternatives":[]},{"row":0,"column":2,"color":"R","value":2,"confidence":0.99,"doubtful":false,"alternatives":[]},{"row":0,"column":3,"color":"Y","value":5,"confidence":0.6,"doubtful":true,"alternatives":[{"color":"Y","value":4,"probability":0.3},{"color":null,"value":null,"probability":0.01}]},{"row":0,"column":4,"color":"P","value":6,"confidence":0.99,"doubtful":false,"alternatives":[]},{"row":1,"column":0,"color":"R","value":3,"confidence":0.99,"doubtful":false,"alternatives":[]},{"row":1,"column":1,"color":"B","value":1,"confidence":0.99,"doubtful":false,"alternatives":[]},{"row":1,"column":2,"color":null,"value":null,"confidence":0.99,"doubtful":false,"alternatives":[]},{"row":1,"column":3,"color":"G","value":1,"confidence":0.99,"doubtful":false,"alternatives":[]},{"row":1,"column":4,"color":"Y","value":2,"confidence":0.99,"doubtful":false,"alternatives":[]},{"row":2,"column":0,"color":"P","value":5,"confidence":0.99,"doubtful":false,"alternatives":[]},{"row":2,"column":1,"color":"G","value":6,"confidence":0.99,"doubtful":false,"alternatives":[]},{"row":2,"column":2,"color":null,"value":null,"confidence":0.99,"doubtful":false,"alternatives":[]},{"row":2,"column":3,"color":"P","value":6,"confidence":0.99,"doubtful":false,"alternatives":[]},{"row":2,"column":4,"color":"R","value":3,"confidence":0.99,"doubtful":false,"alternatives":[]},{"row":3,"column":0,"color":"B","value":4,"confidence":0.99,"doubtful":false,"alternatives":[]},{"row":3,"column":1,"color":"Y","value":3,"confidence":0.99,"doubtful":false,"alternatives":[]},{"row":3,"column":2,"color":"G","value":4,"confidence":0.99,"doubtful":false,"alternatives":[]},{"row":3,"column":3,"color":"B","value":2,"confidence":0.99,"doubtful":false,"alternatives":[]},{"row":3,"column":4,"color":"G","value":4,"confidence":0.99,"doubtful":false,"alternatives":[]}],"unclear_prints":[]},"failure":null,"turned":false,"checked":["A1"],"choices":{"public":["Row Color Variety","Light Shades","Color Diagonals"],"private":"P","window":"Fractal Drops","favor":0},"changed":{"A1":2,"public":2,"private":2,"window":2},"earlier":null,"card_before":null,"for_card":false}');
INSERT INTO "readings" VALUES('xLJtKGcVBQbsqN1a','2026-11-29 10:04:01.000000',1,1,'{"board":"-- -- -- -- -- / -- -- -- -- -- / -- -- -- -- -- / -- -- -- -- --","size":null,"reading":null,"failure":null,"turned":false,"checked":[],"choices":{"public":["Row Color Variety","Light Shades","Color Diagonals"],"private":null,"window":"auto","favor":0},"changed":{},"earlier":null,"card_before":null,"for_card":false}');
INSERT INTO "readings" VALUES('qckDBr8VfPFh6n3X','2026-11-29 10:04:01.000000',4,1,'{"board":"Y5 -- R4 Y5 B1 / P2 B4 Y6 G2 R3 / R6 G3 R4 B5 P2 / G1 Y4 P2 R3 Y5","size":null,"reading":null,"failure":null,"turned":false,"checked":["A1","A2","A3","A4","A5","B1","B2","B3","B4","B5","C1","C2","C3","C4","C5","D1","D2","D3","D4","D5"],"choices":{"public":["Row Color Variety","Light Shades","Color Diagonals"],"private":"R","window":"auto","favor":0},"changed":{"public":2,"A1":3,"A3":3,"A4":3,"A5":3,"B1":3,"B2":3,"B3":3,"B4":3,"B5":3,"C1":3,"C2":3,"C3":3,"C4":3,"C5":3,"D1":3,"D2":3,"D3":3,"D4":3,"D5":3,"private":4},"earlier":null,"card_before":null,"for_card":false}');
INSERT INTO "readings" VALUES('OL9A6GZbIAhiq69_','2026-11-29 10:04:01.000000',3,1,'{"board":"-- G4 R2 Y5 P6 / R3 B1 -- G1 Y2 / P5 G6 -- P6 R3 / B4 Y3 G4 B2 G4","size":[400,300],"reading":{"seconds":0.2,"corners":[[50.0,50.0],[300.0,50.0],[300.0,250.0],[50.0,250.0]],"board":"-- G4 R2 Y5 P6 / R3 B1 -- G1 Y2 / P5 G6 -- P6 R3 / B4 Y3 G4 B2 G4","pattern":"????? / ????? / ????? / ?????","window":{"name":"Fractal Drops","probability":0.9},"upright_probability":0.99,"other_windows":0,"cells":[{"row":0,"column":0,"color":null,"value":null,"confidence":0.99,"doubtful":false,"alternatives":[]},{"row":0,"column":1,"color":"G","value":4,"confidence":0.99,"doubtful":false,"alternatives":[]},{"row":0,"column":2,"color":"R","value":2,"confidence":0.99,"doubtful":false,"alternatives":[]},{"row":0,"column":3,"color":"Y","value":5,"confidence":0.6,"doubtful":true,"alternatives":[{"color":"Y","value":4,"probability":0.3},{"color":null,"value":null,"probability":0.01}]},{"row":0,"column":4,"color":"P","value":6,"confidence":0.99,"doubtful":false,"alternatives":[]},{"row":1,"column":0,"color":"R","value":3,"confidence":0.99,"doubtful":false,"alternatives":[]},{"row":1,"column":1,"color":"B","value":1,"confidence":0.99,"doubtful":false,"alternatives":[]},{"row":1,"column":2,"color":null,"value":null,"confidence":0.99,"doubtful":false,"alternatives":[]},{"row":1,"column":3,"color":"G","value":1,"confidence":0.99,"doubtful":false,"alternatives":[]},{"row":1,"column":4,"color":"Y","value":2,"confidence":0.99,"doubtful":false,"alternatives":[]},{"row":2,"column":0,"color":"P","value":5,"confidence":0.99,"doubtful":false,"alternatives":[]},{"row":2,"column":1,"color":"G","value":6,"confidence":0.99,"doubtful":false,"alternatives":[]},{"row":2,"column":2,"color":null,"value":null,"confidence":0.99,"doubtful":false,"alternatives":[]},{"row":2,"column":3,"color":"P","value":6,"confidence":0.99,"doubtful":false,"alternatives":[]},{"row":2,"column":4,"color":"R","value":3,"confidence":0.99,"doubtful":false,"alternatives":[]},{"row":3,"column":0,"color":"B","value":4,"confidence":0.99,"doubtful":false,"alternatives":[]},{"row":3,"column":1,"color":"Y","value":3,"confidence":0.99,"doubtful":false,"alternatives":[]},{"row":3,"column":2,"color":"G","value":4,"confidence":0.99,"doubtful":false,"alternatives":[]},{"row":3,"column":3,"color":"B","value":2,"confidence":0.99,"doubtful":false,"alternatives":[]},{"row":3,"column":4,"color":"G","value":4,"confidence":0.99,"doubtful":false,"alternatives":[]}],"unclear_prints":[]},"failure":null,"turned":false,"checked":[],"choices":{"public":["Row Color Variety","Light Shades","Color Diagonals"],"private":"P","window":"auto","favor":0},"changed":{"private":3},"earlier":null,"card_before":null,"for_card":false}');
INSERT INTO "readings" VALUES('RWRp67U-KY0pIO39','2026-11-29 10:04:01.000000',1,1,'{"board":"-- -- -- -- -- / -- -- -- -- -- / -- -- -- -- -- / -- -- -- -- --","size":null,"reading":null,"failure":null,"turned":false,"checked":[],"choices":{"public":[],"private":null,"window":"auto","favor":0},"changed":{},"earlier":null,"card_before":null,"for_card":false}');
INSERT INTO "readings" VALUES('FE4dUhg1KIF385tC','2026-11-29 10:04:01.000000',1,1,'{"board":"-- -- -- -- -- / -- -- -- -- -- / -- -- -- -- -- / -- -- -- -- --","size":null,"reading":null,"failure":null,"turned":false,"checked":[],"choices":{"public":[],"private":null,"window":"auto","favor":0},"changed":{},"earlier":null,"card_before":null,"for_card":false}');
CREATE TABLE seats (
	game VARCHAR(6) NOT NULL, 
	number INTEGER NOT NULL, 
	place INTEGER NOT NULL, 
	name VARCHAR(30) NOT NULL, 
	token VARCHAR(64) NOT NULL, 
	record_id VARCHAR(16) NOT NULL, 
	ready BOOLEAN NOT NULL, link VARCHAR(64), link_expires DATETIME, former JSON, 
	CONSTRAINT pk_seats PRIMARY KEY (game, number), 
	CONSTRAINT fk_seats_game_games FOREIGN KEY(game) REFERENCES games (code) ON DELETE CASCADE, 
	CONSTRAINT fk_seats_record_id_readings FOREIGN KEY(record_id) REFERENCES readings (id) ON DELETE CASCADE, 
	CONSTRAINT uq_seats_token UNIQUE (token), 
	CONSTRAINT uq_seats_record_id UNIQUE (record_id)
);
INSERT INTO "seats" VALUES('4CRWY9',1,0,'Ann','a708ccae41690d2d8c7bfbbe4656a088b8085e9c50aee66fcf905327132e138f','OL9A6GZbIAhiq69_',1,NULL,NULL,NULL);
INSERT INTO "seats" VALUES('4CRWY9',2,1,'Ben','8b5197b9e4de06073f033262adfabee2974f77af1296679e96ccbb2fd00a6cbf','qckDBr8VfPFh6n3X',1,NULL,NULL,NULL);
INSERT INTO "seats" VALUES('MCW7CQ',1,0,'Ann','8944f0ceb39d7bc0b8f71fc53f03082c143aa9fd9061c8df1f2161e23cc33c50','RWRp67U-KY0pIO39',0,NULL,NULL,NULL);
INSERT INTO "seats" VALUES('MCW7CQ',2,1,'Cid','91c464606dd2e58902becd5b5dec7e934ebf95ad1061c7ecb0bc7761c73fae8d','FE4dUhg1KIF385tC',0,NULL,NULL,NULL);
CREATE INDEX ix_games_host ON games (host);
COMMIT;
