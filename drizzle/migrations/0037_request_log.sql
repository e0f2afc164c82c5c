CREATE TABLE "logged_requests" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "logged_requests_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"account_id" uuid NOT NULL,
	"key_id" uuid,
	"created_at" timestamp (3) with time zone NOT NULL,
	"method" text NOT NULL,
	"path" text NOT NULL,
	"status" integer NOT NULL,
	"request_id" text NOT NULL,
	"job_id" text,
	"operation_id" text,
	"duration_ms" real NOT NULL,
	"address" text,
	"user_agent" text,
	"idempotency_key" text,
	"body" json,
	"problem" json
);
--> statement-breakpoint
ALTER TABLE "logged_requests" ADD CONSTRAINT "logged_requests_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "logged_requests_account" ON "logged_requests" USING btree ("account_id","created_at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "logged_requests_created" ON "logged_requests" USING btree ("created_at");