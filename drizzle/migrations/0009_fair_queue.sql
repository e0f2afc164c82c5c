CREATE TABLE "failure_budgets" (
	"account_id" uuid PRIMARY KEY NOT NULL,
	"spent" real NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "failure_budgets" SET UNLOGGED;
--> statement-breakpoint
CREATE TABLE "queue_entries" (
	"id" text PRIMARY KEY NOT NULL,
	"lane" text NOT NULL,
	"account_id" uuid NOT NULL,
	"host" text,
	"position" bigint GENERATED ALWAYS AS IDENTITY (sequence name "queue_entries_position_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"run_at" timestamp with time zone DEFAULT now() NOT NULL,
	"failures" integer DEFAULT 0 NOT NULL,
	"locked_by" text
);
--> statement-breakpoint
CREATE TABLE "queue_turns" (
	"lane" text NOT NULL,
	"account_id" uuid NOT NULL,
	"taken_at" timestamp with time zone NOT NULL,
	CONSTRAINT "queue_turns_lane_account_id_pk" PRIMARY KEY("lane","account_id")
);
--> statement-breakpoint
CREATE INDEX "queue_entries_waiting" ON "queue_entries" USING btree ("lane","account_id","run_at","position") WHERE "queue_entries"."locked_by" is null;--> statement-breakpoint
CREATE INDEX "queue_entries_taken" ON "queue_entries" USING btree ("lane","account_id") WHERE "queue_entries"."locked_by" is not null;