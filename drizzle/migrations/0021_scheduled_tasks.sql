CREATE TABLE "scheduled_tasks" (
	"name" text PRIMARY KEY NOT NULL,
	"run_at" timestamp with time zone NOT NULL,
	"attempt" integer DEFAULT 0 NOT NULL,
	"locked_by" text
);
--> statement-breakpoint
DROP SCHEMA IF EXISTS "graphile_worker" CASCADE;