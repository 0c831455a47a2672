BEGIN TRANSACTION;
CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
INSERT INTO "alembic_version" VALUES('0001');
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
INSERT INTO "games" VALUES('H63HTM','2026-11-29 10:04:03.973716','2026-11-29 10:04:04.161245','d3173a6d9bc608083159f06d018a269522def6dab4f00c928c4a14db7a903a44',9,1,'{"solo":false,"stage":"revealed","order_known":false,"public":["Row Color Variety","Light Shades","Color Diagonals"],"tools":["Grozing Pliers"],"house_rules":[],"uses":[],"target":null,"second_private":null,"next_number":3,"closed":false,"changed":{"public":4,"tools":5},"gone":[]}');
INSERT INTO "games" VALUES('4RQM3M','2026-11-29 10:04:04.170487',NULL,'fb59fa64b26bb29283560b1cdb36bcd9e6a1d6792bf62d37f5a72e72ec8bb8b5',3,1,'{"solo":false,"stage":"table","order_known":false,"public":[],"tools":[],"house_rules":[],"uses":[],"target":null,"second_private":null,"next_number":3,"closed":false,"changed":{},"gone":[]}');
CREATE TABLE readings (
	id VARCHAR(16) NOT NULL, 
	created DATETIME NOT NULL, 
	revision INTEGER NOT NULL, 
	schema INTEGER NOT NULL, 
	state JSON NOT NULL, 
	CONSTRAINT pk_readings PRIMARY KEY (id)
);
INSERT INTO "readings" VALUES('2LqVuRK8NdU-7E8z','2026-11-29 10:04:03.000000',2,1,'{"board":"R6 G4 R2 Y5 P6 / R3 B1 -- G1 Y2 / P5 G6 -- P6 R3 / B4 Y3 G4 B2 G4","size":[400,300],"reading":{"seconds":0.2,"size":[400,300],"corners":[[50.0,50.0],[300.0,50.0],[300.0,250.0],[50.0,250.0]],"board":"-- G4 R2 Y5 P6 / R3 B1 -- G1 Y2 / P5 G6 -- P6 R3 / B4 Y3 G4 B2 G4","pattern":"????? / ????? / ????? / ?????","unclear_prints":[],"window":{"name":"Fractal Drops","probability":0.9},"upright_probability":0.99,"other_windows":0,"cells":[{"row":0,"column":0,"color":null,"value":null,"confidence":0.99,"doubtful":false,"covered":false,"alternatives":[]},{"row":0,"column":1,"color":"G","value":4,"confidence":0.99,"doubtful":false,"covered":false,"alternatives":[]},{"row":0,"column":2,"color":"R","value":2,"confidence":0.99,"doubtful":false,"covered":false,"alternatives":[]},{"row":0,"column":3,"color":"Y","value":5,"confidence":0.6,"doubtful":true,"covered":false,"alternatives":[{"color":"Y","value":4,"probability":0.3},{"color":null,"value":null,"probability":0.01}]},{"row":0,"column":4,"color":"P","value":6,"confidence":0.99,"doubtful":false,"covered":false,"alternatives":[]},{"row":1,"column":0,"color":"R","value":3,"confidence":0.99,"doubtful":false,"covered":false,"alternatives":[]},{"row":1,"column":1,"color":"B","value":1,"confidence":0.99,"doubtful":false,"covered":false,"alternatives":[]},{"row":1,"column":2,"color":null,"value":null,"confidence":0.99,"doubtful":false,"covered":false,"alternatives":[]},{"row":1,"column":3,"color":"G","value":1,"confidence":0.99,"doubtful":false,"covered":false,"alternatives":[]},{"row":1,"column":4,"color":"Y","value":2,"confidence":0.99,"doubtful":false,"covered":false,"alternatives":[]},{"row":2,"column":0,"color":"P","value":5,"confidence":0.99,"doubtful":false,"covered":false,"alternatives":[]},{"row":2,"column":1,"color":"G","value":6,"confidence":0.99,"doubtful":false,"covered":false,"alternatives":[]},{"row":2,"column":2,"color":null,"value":null,"confidence":0.99,"doubtful":false,"covered":false,"alternatives":[]},{"row":2,"column":3,"color":"P","value":6,"confidence":0.99,"doubtful":false,"covered":false,"alternatives":[]},{"row":2,"column":4,"color":"R","value":3,"confidence":0.99,"doubtful":false,"covered":false,"alternatives":[]},{"row":3,"column":0,"color":"B","value":4,"confidence":0.99,"doubtful":false,"covered":false,"alternatives":[]},{"row":3,"column":1,"color":"Y","value":3,"confidence":0.99,"doubtful":false,"covered":false,"alternatives":[]},{"row":3,"column":2,"color":"G","value":4,"confidence":0.99,"doubtful":false,"covered":false,"alternatives":[]},{"row":3,"column":3,"color":"B","value":2,"confidence":0.99,"doubtful":false,"covered":false,"alternatives":[]},{"row":3,"column":4,"color":"G","value":4,"confidence":0.99,"doubtful":false,"covered":false,"alternatives":[]}]},"failure":null,"turned":false,"checked":["A1"],"choices":{"public":["Row Color Variety","Light Shades","Color Diagonals"],"private":"P","window":"Fractal Drops","favor_tokens":0},"changed":{"A1":2,"public":2,"private":2,"window":2},"earlier":null,"card_before":null,"for_card":false}');
INSERT INTO "readings" VALUES('EBq0GmFjCYLlzxUr','2026-11-29 10:04:03.000000',1,1,'{"board":"-- -- -- -- -- / -- -- -- -- -- / -- -- -- -- -- / -- -- -- -- --","size":null,"reading":null,"failure":null,"turned":false,"checked":[],"choices":{"public":["Row Color Variety","Light Shades","Color Diagonals"],"private":null,"window":"auto","favor_tokens":0},"changed":{},"earlier":null,"card_before":null,"for_card":false}');
INSERT INTO "readings" VALUES('Pot-9FfTgRokyDPp','2026-11-29 10:04:03.000000',5,1,'{"board":"Y5 -- R4 Y5 B1 / P2 B4 Y6 G2 R3 / R6 G3 R4 B5 P2 / G1 Y4 P2 R3 Y5","size":null,"reading":null,"failure":null,"turned":false,"checked":["A1","A2","A3","A4","A5","B1","B2","B3","B4","B5","C1","C2","C3","C4","C5","D1","D2","D3","D4","D5"],"choices":{"public":["Row Color Variety","Light Shades","Color Diagonals"],"private":"R","window":"auto","favor_tokens":2},"changed":{"public":2,"A1":3,"A3":3,"A4":3,"A5":3,"B1":3,"B2":3,"B3":3,"B4":3,"B5":3,"C1":3,"C2":3,"C3":3,"C4":3,"C5":3,"D1":3,"D2":3,"D3":3,"D4":3,"D5":3,"private":4,"favor_tokens":5},"earlier":null,"card_before":null,"for_card":false}');
INSERT INTO "readings" VALUES('UU5WWAK6Xxndqznq','2026-11-29 10:04:04.000000',3,1,'{"board":"-- G4 R2 Y5 P6 / R3 B1 -- G1 Y2 / P5 G6 -- P6 R3 / B4 Y3 G4 B2 G4","size":[400,300],"reading":{"seconds":0.2,"size":[400,300],"corners":[[50.0,50.0],[300.0,50.0],[300.0,250.0],[50.0,250.0]],"board":"-- G4 R2 Y5 P6 / R3 B1 -- G1 Y2 / P5 G6 -- P6 R3 / B4 Y3 G4 B2 G4","pattern":"????? / ????? / ????? / ?????","unclear_prints":[],"window":{"name":"Fractal Drops","probability":0.9},"upright_probability":0.99,"other_windows":0,"cells":[{"row":0,"column":0,"color":null,"value":null,"confidence":0.99,"doubtful":false,"covered":false,"alternatives":[]},{"row":0,"column":1,"color":"G","value":4,"confidence":0.99,"doubtful":false,"covered":false,"alternatives":[]},{"row":0,"column":2,"color":"R","value":2,"confidence":0.99,"doubtful":false,"covered":false,"alternatives":[]},{"row":0,"column":3,"color":"Y","value":5,"confidence":0.6,"doubtful":true,"covered":false,"alternatives":[{"color":"Y","value":4,"probability":0.3},{"color":null,"value":null,"probability":0.01}]},{"row":0,"column":4,"color":"P","value":6,"confidence":0.99,"doubtful":false,"covered":false,"alternatives":[]},{"row":1,"column":0,"color":"R","value":3,"confidence":0.99,"doubtful":false,"covered":false,"alternatives":[]},{"row":1,"column":1,"color":"B","value":1,"confidence":0.99,"doubtful":false,"covered":false,"alternatives":[]},{"row":1,"column":2,"color":null,"value":null,"confidence":0.99,"doubtful":false,"covered":false,"alternatives":[]},{"row":1,"column":3,"color":"G","value":1,"confidence":0.99,"doubtful":false,"covered":false,"alternatives":[]},{"row":1,"column":4,"color":"Y","value":2,"confidence":0.99,"doubtful":false,"covered":false,"alternatives":[]},{"row":2,"column":0,"color":"P","value":5,"confidence":0.99,"doubtful":false,"covered":false,"alternatives":[]},{"row":2,"column":1,"color":"G","value":6,"confidence":0.99,"doubtful":false,"covered":false,"alternatives":[]},{"row":2,"column":2,"color":null,"value":null,"confidence":0.99,"doubtful":false,"covered":false,"alternatives":[]},{"row":2,"column":3,"color":"P","value":6,"confidence":0.99,"doubtful":false,"covered":false,"alternatives":[]},{"row":2,"column":4,"color":"R","value":3,"confidence":0.99,"doubtful":false,"covered":false,"alternatives":[]},{"row":3,"column":0,"color":"B","value":4,"confidence":0.99,"doubtful":false,"covered":false,"alternatives":[]},{"row":3,"column":1,"color":"Y","value":3,"confidence":0.99,"doubtful":false,"covered":false,"alternatives":[]},{"row":3,"column":2,"color":"G","value":4,"confidence":0.99,"doubtful":false,"covered":false,"alternatives":[]},{"row":3,"column":3,"color":"B","value":2,"confidence":0.99,"doubtful":false,"covered":false,"alternatives":[]},{"row":3,"column":4,"color":"G","value":4,"confidence":0.99,"doubtful":false,"covered":false,"alternatives":[]}]},"failure":null,"turned":false,"checked":[],"choices":{"public":["Row Color Variety","Light Shades","Color Diagonals"],"private":"P","window":"auto","favor_tokens":0},"changed":{"private":3},"earlier":null,"card_before":null,"for_card":false}');
INSERT INTO "readings" VALUES('1XC4ERAz4rY0fFMr','2026-11-29 10:04:04.000000',1,1,'{"board":"-- -- -- -- -- / -- -- -- -- -- / -- -- -- -- -- / -- -- -- -- --","size":null,"reading":null,"failure":null,"turned":false,"checked":[],"choices":{"public":[],"private":null,"window":"auto","favor_tokens":0},"changed":{},"earlier":null,"card_before":null,"for_card":false}');
INSERT INTO "readings" VALUES('PI7Fah0M4wHbiDaR','2026-11-29 10:04:04.000000',1,1,'{"board":"-- -- -- -- -- / -- -- -- -- -- / -- -- -- -- -- / -- -- -- -- --","size":null,"reading":null,"failure":null,"turned":false,"checked":[],"choices":{"public":[],"private":null,"window":"auto","favor_tokens":0},"changed":{},"earlier":null,"card_before":null,"for_card":false}');
CREATE TABLE seats (
	game VARCHAR(6) NOT NULL, 
	number INTEGER NOT NULL, 
	place INTEGER NOT NULL, 
	name VARCHAR(30) NOT NULL, 
	token VARCHAR(64) NOT NULL, 
	record_id VARCHAR(16) NOT NULL, 
	ready BOOLEAN NOT NULL, 
	link VARCHAR(64), 
	link_expires DATETIME, 
	former JSON NOT NULL, 
	CONSTRAINT pk_seats PRIMARY KEY (game, number), 
	CONSTRAINT fk_seats_game_games FOREIGN KEY(game) REFERENCES games (code) ON DELETE CASCADE, 
	CONSTRAINT fk_seats_record_id_readings FOREIGN KEY(record_id) REFERENCES readings (id) ON DELETE CASCADE, 
	CONSTRAINT uq_seats_token UNIQUE (token), 
	CONSTRAINT uq_seats_record_id UNIQUE (record_id)
);
INSERT INTO "seats" VALUES('H63HTM',1,0,'Ann','f5f2a423c1a043451e7096406393c33277e4c374e475bfa2651bd5ffd28c1ca5','UU5WWAK6Xxndqznq',1,NULL,NULL,'[]');
INSERT INTO "seats" VALUES('H63HTM',2,1,'Ben','f28c33083b61b44b8e4670bb5f034a5de66b2131d82dfadc6c4da899f0809c8d','Pot-9FfTgRokyDPp',1,NULL,NULL,'[]');
INSERT INTO "seats" VALUES('4RQM3M',1,0,'Ann','bf510ac05b43b8729f5fa0ee37ee116215920cb3110444e056db5433aa9de412','1XC4ERAz4rY0fFMr',0,NULL,NULL,'[]');
INSERT INTO "seats" VALUES('4RQM3M',2,1,'Cid','245b5600aae17b88c8f082a942d266d9a464a1237e6da18e6e248466eda13ae9','PI7Fah0M4wHbiDaR',0,NULL,NULL,'[]');
CREATE INDEX ix_games_host ON games (host);
COMMIT;
