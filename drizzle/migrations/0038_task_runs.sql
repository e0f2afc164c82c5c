ALTER TABLE "chore_runs" RENAME TO "task_runs";
--> statement-breakpoint
-- Processes of the former version write to the table during an upgrade. A later migration drops the view, before any
-- change of these columns.
CREATE VIEW "chore_runs" AS SELECT * FROM "task_runs";
