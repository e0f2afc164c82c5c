CREATE TABLE "chore_runs" (
	"name" text PRIMARY KEY NOT NULL,
	"ended_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"duration_ms" integer NOT NULL,
	"fault" text
);
--> statement-breakpoint
CREATE TABLE "processes" (
	"id" uuid PRIMARY KEY NOT NULL,
	"part" text NOT NULL,
	"host" text NOT NULL,
	"pid" integer NOT NULL,
	"facts" jsonb NOT NULL,
	"started_at" timestamp (3) with time zone NOT NULL,
	"beat_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "processes" SET UNLOGGED;
--> statement-breakpoint
ALTER TABLE "jobs" ADD COLUMN "error_code" text;--> statement-breakpoint
CREATE INDEX "jobs_failed" ON "jobs" USING btree ("completed_at") WHERE "jobs"."status" in ('FAILED', 'ERROR');