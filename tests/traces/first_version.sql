-- `.dump` of a database of the first version, before revisions were counted: two runs, one of them cut off.
BEGIN TRANSACTION;
CREATE TABLE events (
	run_id VARCHAR(64) NOT NULL, 
	number INTEGER NOT NULL, 
	event JSON NOT NULL, 
	PRIMARY KEY (run_id, number)
);
INSERT INTO "events" VALUES('first-run-of-all',0,'{"at": 0.0, "node": "", "attempt": 0, "kind": "run_started", "version": 1, "run_id": "first-run-of-all", "strategy": "naive", "question": "Why?", "history": [], "settings": {"k": 4}, "engine": "", "started": "2026-11-30T03:00:00+00:00", "sources": [], "parent": "", "forked_at": 0}');
INSERT INTO "events" VALUES('first-run-of-all',1,'{"at": 0.0, "node": "", "attempt": 0, "kind": "edge_taken", "source": "START", "target": "retrieve", "outcome": ""}');
INSERT INTO "events" VALUES('first-run-of-all',2,'{"at": 0.1, "node": "retrieve", "attempt": 1, "kind": "node_started"}');
INSERT INTO "events" VALUES('first-run-of-all',3,'{"at": 0.2, "node": "retrieve", "attempt": 1, "kind": "retrieved", "documents": []}');
INSERT INTO "events" VALUES('first-run-of-all',4,'{"at": 0.2, "node": "retrieve", "attempt": 1, "kind": "node_finished", "seconds": 0.1, "update": {"retrieved": [], "relevance": [], "documents": [], "seen": []}}');
INSERT INTO "events" VALUES('first-run-of-all',5,'{"at": 0.2, "node": "", "attempt": 0, "kind": "edge_taken", "source": "retrieve", "target": "generate", "outcome": ""}');
INSERT INTO "events" VALUES('first-run-of-all',6,'{"at": 0.3, "node": "generate", "attempt": 1, "kind": "node_started"}');
INSERT INTO "events" VALUES('first-run-of-all',7,'{"at": 0.4, "node": "generate", "attempt": 1, "kind": "model_called", "role": "generate", "model": "m", "prompt_tokens": null, "completion_tokens": null, "seconds": 0.0}');
INSERT INTO "events" VALUES('first-run-of-all',8,'{"at": 0.5, "node": "generate", "attempt": 1, "kind": "node_finished", "seconds": 0.0, "update": {"answer": "Because of Strasse.", "answers": [{"text": "Because of Strasse.", "kind": "from documents"}]}}');
INSERT INTO "events" VALUES('first-run-of-all',9,'{"at": 0.5, "node": "", "attempt": 0, "kind": "edge_taken", "source": "generate", "target": "END", "outcome": ""}');
INSERT INTO "events" VALUES('first-run-of-all',10,'{"at": 0.5, "node": "", "attempt": 0, "kind": "run_finished", "stop_reason": "answered", "answer": "Because of Strasse."}');
INSERT INTO "events" VALUES('second-run-cut-off',0,'{"at": 0.0, "node": "", "attempt": 0, "kind": "run_started", "version": 1, "run_id": "second-run-cut-off", "strategy": "naive", "question": "Why not?", "history": [], "settings": {"k": 4}, "engine": "", "started": "2026-11-30T03:01:00+00:00", "sources": [], "parent": "first-run-of-all", "forked_at": 0}');
INSERT INTO "events" VALUES('second-run-cut-off',1,'{"at": 0.0, "node": "", "attempt": 0, "kind": "edge_taken", "source": "START", "target": "retrieve", "outcome": ""}');
INSERT INTO "events" VALUES('second-run-cut-off',2,'{"at": 0.1, "node": "retrieve", "attempt": 1, "kind": "node_started"}');
INSERT INTO "events" VALUES('second-run-cut-off',3,'{"at": 0.2, "node": "retrieve", "attempt": 1, "kind": "retrieved", "documents": []}');
INSERT INTO "events" VALUES('second-run-cut-off',4,'{"at": 0.2, "node": "retrieve", "attempt": 1, "kind": "node_finished", "seconds": 0.1, "update": {"retrieved": [], "relevance": [], "documents": [], "seen": []}}');
INSERT INTO "events" VALUES('second-run-cut-off',5,'{"at": 0.2, "node": "", "attempt": 0, "kind": "edge_taken", "source": "retrieve", "target": "generate", "outcome": ""}');
INSERT INTO "events" VALUES('second-run-cut-off',6,'{"at": 0.3, "node": "generate", "attempt": 1, "kind": "node_started"}');
INSERT INTO "events" VALUES('second-run-cut-off',7,'{"at": 0.4, "node": "generate", "attempt": 1, "kind": "model_called", "role": "generate", "model": "m", "prompt_tokens": null, "completion_tokens": null, "seconds": 0.0}');
CREATE TABLE runs (
	id VARCHAR(64) NOT NULL, 
	owner VARCHAR(64) NOT NULL, 
	strategy VARCHAR(64) NOT NULL, 
	question TEXT NOT NULL, 
	started VARCHAR(32) NOT NULL, 
	ended VARCHAR(32) NOT NULL, 
	seconds FLOAT, 
	PRIMARY KEY (id)
);
INSERT INTO "runs" VALUES('first-run-of-all','visitor-of-the-first-version','naive','Why?','2026-11-30T03:00:00+00:00','answered',0.5);
INSERT INTO "runs" VALUES('second-run-cut-off','visitor-of-the-first-version','naive','Why not?','2026-11-30T03:01:00+00:00','',NULL);
CREATE TABLE visitors (
	id VARCHAR(64) NOT NULL, 
	sources JSON NOT NULL, 
	choices JSON NOT NULL, 
	PRIMARY KEY (id)
);
INSERT INTO "visitors" VALUES('visitor-of-the-first-version','["source-1"]','{"pace": 0.9}');
CREATE INDEX ix_runs_owner ON runs (owner);
COMMIT;
