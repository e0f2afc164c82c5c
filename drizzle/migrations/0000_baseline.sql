-- The whole schema as version 0.1.0 left it, in place of its 39 migrations: objects, names and order of columns are theirs.
-- The entry's time in `meta/_journal.json` is that of their last one, so that a database of 0.1.0 counts as migrated.
-- Statements below the tables are kept by hand, as the schema language can't express them.
CREATE TYPE "public"."file_role" AS ENUM('input', 'output', 'attachment');--> statement-breakpoint
CREATE TYPE "public"."job_status" AS ENUM('QUEUED', 'PROCESSING', 'COMPLETED', 'FAILED', 'ERROR');--> statement-breakpoint
CREATE TYPE "public"."payment_state" AS ENUM('pending', 'paid', 'failed');--> statement-breakpoint
CREATE TYPE "public"."member_role" AS ENUM('owner', 'developer', 'billing', 'read_only');--> statement-breakpoint
CREATE TYPE "public"."hold_state" AS ENUM('open', 'captured', 'released');--> statement-breakpoint
CREATE TYPE "public"."ledger_account_kind" AS ENUM('wallet', 'funding', 'revenue');--> statement-breakpoint
CREATE TYPE "public"."transfer_kind" AS ENUM('top_up', 'capture', 'adjustment', 'free_credit');--> statement-breakpoint
CREATE TYPE "public"."delivery_state" AS ENUM('pending', 'delivered', 'failed');--> statement-breakpoint
CREATE TABLE "accounts" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"email" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp (3) with time zone,
	"sandbox_of" uuid,
	"monthly_cap_micro_usd" bigint,
	"event_url" text
);
--> statement-breakpoint
CREATE TABLE "batch_items" (
	"job_id" text NOT NULL,
	"position" integer NOT NULL,
	"outcome" jsonb NOT NULL,
	"file_key" text,
	"cache_key" "bytea",
	"further_file_keys" text[] DEFAULT '{}' NOT NULL,
	CONSTRAINT "batch_items_job_id_position_pk" PRIMARY KEY("job_id","position")
);
--> statement-breakpoint
CREATE TABLE "files" (
	"key" text PRIMARY KEY NOT NULL,
	"job_id" text NOT NULL,
	"role" "file_role" NOT NULL,
	"position" integer NOT NULL,
	"name" text NOT NULL,
	"media_type" text NOT NULL,
	"bytes" bigint NOT NULL,
	"sha256" "bytea" NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"deleted_at" timestamp (3) with time zone,
	"source_url" text
);
--> statement-breakpoint
CREATE TABLE "uploads" (
	"token" text PRIMARY KEY NOT NULL,
	"account_id" uuid NOT NULL,
	"bytes" bigint NOT NULL,
	"sha256" "bytea",
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"received_bytes" bigint,
	"parts" text[] DEFAULT '{}' NOT NULL
);
--> statement-breakpoint
CREATE TABLE "incidents" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "incidents_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"title" text NOT NULL,
	"started_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"ended_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "jobs" (
	"id" text PRIMARY KEY NOT NULL,
	"account_id" uuid NOT NULL,
	"key_id" uuid,
	"operation_id" text NOT NULL,
	"params" jsonb NOT NULL,
	"facts" jsonb NOT NULL,
	"status" "job_status" DEFAULT 'QUEUED' NOT NULL,
	"attempt" integer DEFAULT 0 NOT NULL,
	"progress" real DEFAULT 0 NOT NULL,
	"held_micro_usd" bigint NOT NULL,
	"charged_micro_usd" bigint DEFAULT 0 NOT NULL,
	"error" text,
	"warnings" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"engine" text,
	"webhook_url" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"started_at" timestamp (3) with time zone,
	"completed_at" timestamp (3) with time zone,
	"details" jsonb,
	"cache_key" "bytea",
	"deadline_at" timestamp (3) with time zone,
	"traceparent" text,
	"error_code" text,
	"excused" integer DEFAULT 0 NOT NULL,
	"error_field" text,
	"reference" text,
	"metadata" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"is_test" boolean DEFAULT false NOT NULL,
	"spending_session" uuid,
	"weights" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"cached_result" jsonb,
	"output_deliveries" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"is_stored" boolean DEFAULT true NOT NULL,
	"receipt" text,
	"run_on" text DEFAULT 'service' NOT NULL,
	"worker" text,
	CONSTRAINT "jobs_error_when_ended_badly" CHECK (("jobs"."status" in ('FAILED', 'ERROR')) = ("jobs"."error" is not null)),
	CONSTRAINT "jobs_charge_only_completed" CHECK ("jobs"."charged_micro_usd" = 0 or "jobs"."status" = 'COMPLETED')
);
--> statement-breakpoint
CREATE TABLE "api_keys" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"account_id" uuid NOT NULL,
	"name" text NOT NULL,
	"prefix" text NOT NULL,
	"sha256" "bytea" NOT NULL,
	"operations" text[],
	"monthly_cap_micro_usd" bigint,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp (3) with time zone,
	"revoked_at" timestamp (3) with time zone,
	"last_used_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "key_spending" (
	"key_id" uuid NOT NULL,
	"month" text NOT NULL,
	"spent_micro_usd" bigint DEFAULT 0 NOT NULL,
	CONSTRAINT "key_spending_key_id_month_pk" PRIMARY KEY("key_id","month"),
	CONSTRAINT "key_spending_not_negative" CHECK ("key_spending"."spent_micro_usd" >= 0)
);
--> statement-breakpoint
CREATE TABLE "automatic_top_ups" (
	"account_id" uuid PRIMARY KEY NOT NULL,
	"threshold_micro_usd" bigint NOT NULL,
	"amount_micro_usd" bigint NOT NULL,
	"customer_id" text,
	"payment_method_id" text,
	"attempt_count" bigint DEFAULT 0 NOT NULL,
	"last_attempt_at" timestamp (3) with time zone,
	"refusal" text,
	"ordered_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"stopped_at" timestamp (3) with time zone,
	"payer_id" uuid,
	CONSTRAINT "automatic_top_ups_positive" CHECK ("automatic_top_ups"."threshold_micro_usd" > 0 and "automatic_top_ups"."amount_micro_usd" > 0),
	CONSTRAINT "automatic_top_ups_method" CHECK (("automatic_top_ups"."stopped_at" is null) = ("automatic_top_ups"."customer_id" is not null and "automatic_top_ups"."payment_method_id" is not null))
);
--> statement-breakpoint
CREATE TABLE "payment_events" (
	"id" text PRIMARY KEY NOT NULL,
	"type" text NOT NULL,
	"received_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "payments" (
	"id" text PRIMARY KEY NOT NULL,
	"account_id" uuid NOT NULL,
	"state" "payment_state" NOT NULL,
	"due_micro_usd" bigint NOT NULL,
	"credited_micro_usd" bigint DEFAULT 0 NOT NULL,
	"transfer_count" bigint DEFAULT 0 NOT NULL,
	"refunded_micro_usd" bigint DEFAULT 0 NOT NULL,
	"disputed_micro_usd" bigint DEFAULT 0 NOT NULL,
	"is_automatic" boolean DEFAULT false NOT NULL,
	"receipt_url" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "payments_not_negative" CHECK ("payments"."due_micro_usd" >= 0 and "payments"."credited_micro_usd" >= 0)
);
--> statement-breakpoint
CREATE TABLE "retired_customers" (
	"customer_id" text PRIMARY KEY NOT NULL,
	"retry_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE UNLOGGED TABLE "processes" (
	"id" uuid PRIMARY KEY NOT NULL,
	"part" text NOT NULL,
	"host" text NOT NULL,
	"pid" integer NOT NULL,
	"facts" jsonb NOT NULL,
	"started_at" timestamp (3) with time zone NOT NULL,
	"beat_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "runners" (
	"id" text PRIMARY KEY NOT NULL,
	"lock_key" integer GENERATED ALWAYS AS IDENTITY (sequence name "runners_lock_key_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"host" text NOT NULL,
	"started_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "queue_entries" (
	"id" text PRIMARY KEY NOT NULL,
	"lane" text NOT NULL,
	"account_id" uuid NOT NULL,
	"host" text,
	"position" bigint GENERATED ALWAYS AS IDENTITY (sequence name "queue_entries_position_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"run_at" timestamp with time zone DEFAULT now() NOT NULL,
	"failures" integer DEFAULT 0 NOT NULL,
	"locked_by" text,
	"claimed_at" timestamp with time zone,
	"worked_seconds" real DEFAULT 0 NOT NULL,
	"leased_until" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "queue_turns" (
	"lane" text NOT NULL,
	"account_id" uuid NOT NULL,
	"taken_at" timestamp with time zone NOT NULL,
	CONSTRAINT "queue_turns_lane_account_id_pk" PRIMARY KEY("lane","account_id")
);
--> statement-breakpoint
CREATE TABLE "scheduled_tasks" (
	"name" text PRIMARY KEY NOT NULL,
	"run_at" timestamp with time zone NOT NULL,
	"attempt" integer DEFAULT 0 NOT NULL,
	"locked_by" text,
	"failures" integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
-- Renamed below.
CREATE TABLE "chore_runs" (
	"name" text PRIMARY KEY NOT NULL,
	"ended_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"duration_ms" integer NOT NULL,
	"fault" text
);
--> statement-breakpoint
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
CREATE UNLOGGED TABLE "failure_budgets" (
	"account_id" uuid PRIMARY KEY NOT NULL,
	"spent" real NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "idempotency_keys" (
	"account_id" uuid NOT NULL,
	"key" text NOT NULL,
	"fingerprint" "bytea" NOT NULL,
	"locked_until" timestamp (3) with time zone NOT NULL,
	"response_status" integer,
	"response_body" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"job_id" text,
	"holder" uuid,
	CONSTRAINT "idempotency_keys_account_id_key_pk" PRIMARY KEY("account_id","key")
);
--> statement-breakpoint
CREATE UNLOGGED TABLE "rate_limits" (
	"key_id" uuid PRIMARY KEY NOT NULL,
	"tokens" real NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "receipt_keys" (
	"kid" text PRIMARY KEY NOT NULL,
	"secret" "bytea" NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "service_secrets" (
	"name" text PRIMARY KEY NOT NULL,
	"secret" "bytea" NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "account_spending" (
	"account_id" uuid NOT NULL,
	"month" text NOT NULL,
	"reserved_micro_usd" bigint DEFAULT 0 NOT NULL,
	"charged_micro_usd" bigint DEFAULT 0 NOT NULL,
	CONSTRAINT "account_spending_account_id_month_pk" PRIMARY KEY("account_id","month"),
	CONSTRAINT "account_spending_not_negative" CHECK ("account_spending"."charged_micro_usd" >= 0 and "account_spending"."reserved_micro_usd" >= "account_spending"."charged_micro_usd")
);
--> statement-breakpoint
CREATE TABLE "spending_alerts" (
	"account_id" uuid NOT NULL,
	"month" text NOT NULL,
	"share" integer NOT NULL,
	"spent_micro_usd" bigint NOT NULL,
	"cap_micro_usd" bigint NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"mailed_at" timestamp (3) with time zone,
	CONSTRAINT "spending_alerts_account_id_month_share_pk" PRIMARY KEY("account_id","month","share")
);
--> statement-breakpoint
CREATE TABLE "invitations" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"account_id" uuid NOT NULL,
	"email" text NOT NULL,
	"role" "member_role" NOT NULL,
	"token_sha256" "bytea" NOT NULL,
	"invited_by" uuid,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "memberships" (
	"account_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"role" "member_role" NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"chosen_at" timestamp (3) with time zone,
	CONSTRAINT "memberships_account_id_user_id_pk" PRIMARY KEY("account_id","user_id")
);
--> statement-breakpoint
CREATE TABLE "audit_events" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "audit_events_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"account_id" uuid NOT NULL,
	"user_id" uuid,
	"action" text NOT NULL,
	"subject" text,
	"address" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "credentials" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"user_id" uuid NOT NULL,
	"provider_account_id" text NOT NULL,
	"provider_id" text NOT NULL,
	"password" text,
	"access_token" text,
	"refresh_token" text,
	"id_token" text,
	"access_token_expires_at" timestamp (3) with time zone,
	"refresh_token_expires_at" timestamp (3) with time zone,
	"scope" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "passkeys" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"user_id" uuid NOT NULL,
	"name" text,
	"public_key" text NOT NULL,
	"credential_id" text NOT NULL,
	"counter" bigint NOT NULL,
	"device_type" text NOT NULL,
	"backed_up" boolean NOT NULL,
	"transports" text,
	"aaguid" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sessions" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"user_id" uuid NOT NULL,
	"token" text NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"ip_address" text,
	"user_agent" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"account_id" uuid
);
--> statement-breakpoint
CREATE TABLE "users" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"account_id" uuid NOT NULL,
	"name" text NOT NULL,
	"email" text NOT NULL,
	"email_verified" boolean DEFAULT false NOT NULL,
	"image" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "verifications" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"identifier" text NOT NULL,
	"value" text NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "entries" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "entries_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"transfer_id" uuid NOT NULL,
	"ledger_account_id" uuid NOT NULL,
	"amount_micro_usd" bigint NOT NULL,
	"category" text,
	CONSTRAINT "entries_not_zero" CHECK ("entries"."amount_micro_usd" <> 0)
);
--> statement-breakpoint
CREATE TABLE "holds" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"ledger_account_id" uuid NOT NULL,
	"amount_micro_usd" bigint NOT NULL,
	"state" "hold_state" DEFAULT 'open' NOT NULL,
	"reference" text NOT NULL,
	"transfer_id" uuid,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"settled_at" timestamp (3) with time zone,
	CONSTRAINT "holds_reference_unique" UNIQUE("reference"),
	CONSTRAINT "holds_transfer_id_unique" UNIQUE("transfer_id"),
	CONSTRAINT "holds_positive" CHECK ("holds"."amount_micro_usd" > 0),
	CONSTRAINT "holds_settled_when_not_open" CHECK (("holds"."state" = 'open') = ("holds"."settled_at" is null)),
	CONSTRAINT "holds_captured_by_transfer" CHECK (("holds"."state" = 'captured') = ("holds"."transfer_id" is not null))
);
--> statement-breakpoint
CREATE TABLE "ledger_accounts" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"kind" "ledger_account_kind" NOT NULL,
	"owner_id" uuid,
	"balance_micro_usd" bigint DEFAULT 0 NOT NULL,
	"held_micro_usd" bigint DEFAULT 0 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "ledger_accounts_wallet_owned" CHECK (("ledger_accounts"."kind" = 'wallet') = ("ledger_accounts"."owner_id" is not null)),
	CONSTRAINT "ledger_accounts_no_overdraft" CHECK ("ledger_accounts"."held_micro_usd" >= 0 and "ledger_accounts"."held_micro_usd" <= "ledger_accounts"."balance_micro_usd")
);
--> statement-breakpoint
CREATE TABLE "transfers" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"kind" "transfer_kind" NOT NULL,
	"idempotency_key" text NOT NULL,
	"reference" text NOT NULL,
	"written_in" "xid8" DEFAULT pg_current_xact_id() NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "transfers_idempotency_key_unique" UNIQUE("idempotency_key")
);
--> statement-breakpoint
CREATE TABLE "webhook_deliveries" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"account_id" uuid NOT NULL,
	"reference" text NOT NULL,
	"url" text NOT NULL,
	"body" text NOT NULL,
	"state" "delivery_state" DEFAULT 'pending' NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"next_attempt_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "webhook_delivery_attempts" (
	"delivery_id" uuid NOT NULL,
	"attempt" integer NOT NULL,
	"at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"duration_ms" integer NOT NULL,
	"response_status" integer,
	"error" text,
	"response_body" text,
	CONSTRAINT "webhook_delivery_attempts_delivery_id_attempt_pk" PRIMARY KEY("delivery_id","attempt")
);
--> statement-breakpoint
CREATE TABLE "webhook_secrets" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"account_id" uuid NOT NULL,
	"secret" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp (3) with time zone
);
--> statement-breakpoint
ALTER TABLE "accounts" ADD CONSTRAINT "accounts_sandbox_of_accounts_id_fk" FOREIGN KEY ("sandbox_of") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "batch_items" ADD CONSTRAINT "batch_items_job_id_jobs_id_fk" FOREIGN KEY ("job_id") REFERENCES "public"."jobs"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "batch_items" ADD CONSTRAINT "batch_items_file_key_files_key_fk" FOREIGN KEY ("file_key") REFERENCES "public"."files"("key") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "files" ADD CONSTRAINT "files_job_id_jobs_id_fk" FOREIGN KEY ("job_id") REFERENCES "public"."jobs"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "uploads" ADD CONSTRAINT "uploads_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "jobs" ADD CONSTRAINT "jobs_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "jobs" ADD CONSTRAINT "jobs_key_id_api_keys_id_fk" FOREIGN KEY ("key_id") REFERENCES "public"."api_keys"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "key_spending" ADD CONSTRAINT "key_spending_key_id_api_keys_id_fk" FOREIGN KEY ("key_id") REFERENCES "public"."api_keys"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "automatic_top_ups" ADD CONSTRAINT "automatic_top_ups_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "logged_requests" ADD CONSTRAINT "logged_requests_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "idempotency_keys" ADD CONSTRAINT "idempotency_keys_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "account_spending" ADD CONSTRAINT "account_spending_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "spending_alerts" ADD CONSTRAINT "spending_alerts_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_invited_by_users_id_fk" FOREIGN KEY ("invited_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "audit_events" ADD CONSTRAINT "audit_events_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "audit_events" ADD CONSTRAINT "audit_events_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "credentials" ADD CONSTRAINT "credentials_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "passkeys" ADD CONSTRAINT "passkeys_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "users" ADD CONSTRAINT "users_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "entries" ADD CONSTRAINT "entries_transfer_id_transfers_id_fk" FOREIGN KEY ("transfer_id") REFERENCES "public"."transfers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "holds" ADD CONSTRAINT "holds_transfer_id_transfers_id_fk" FOREIGN KEY ("transfer_id") REFERENCES "public"."transfers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_delivery_attempts" ADD CONSTRAINT "webhook_delivery_attempts_delivery_id_webhook_deliveries_id_fk" FOREIGN KEY ("delivery_id") REFERENCES "public"."webhook_deliveries"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_secrets" ADD CONSTRAINT "webhook_secrets_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "accounts_email" ON "accounts" USING btree (lower("email"));--> statement-breakpoint
CREATE UNIQUE INDEX "accounts_sandbox" ON "accounts" USING btree ("sandbox_of");--> statement-breakpoint
CREATE INDEX "batch_items_file" ON "batch_items" USING btree ("file_key") WHERE "batch_items"."file_key" is not null;--> statement-breakpoint
CREATE INDEX "batch_items_cached" ON "batch_items" USING btree ("cache_key") WHERE "batch_items"."cache_key" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "files_job" ON "files" USING btree ("job_id","role","position");--> statement-breakpoint
CREATE INDEX "files_expiring" ON "files" USING btree ("expires_at") WHERE "files"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "uploads_account" ON "uploads" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "uploads_expiring" ON "uploads" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "incidents_started" ON "incidents" USING btree ("started_at" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "jobs_account" ON "jobs" USING btree ("account_id","created_at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "jobs_account_status" ON "jobs" USING btree ("account_id","status","created_at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "jobs_created" ON "jobs" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "jobs_cached" ON "jobs" USING btree ("account_id","cache_key") WHERE "jobs"."cache_key" is not null;--> statement-breakpoint
CREATE INDEX "jobs_failed" ON "jobs" USING btree ("completed_at") WHERE "jobs"."status" in ('FAILED', 'ERROR');--> statement-breakpoint
CREATE INDEX "jobs_unfinished" ON "jobs" USING btree ("status","created_at") WHERE "jobs"."status" in ('QUEUED', 'PROCESSING');--> statement-breakpoint
CREATE INDEX "jobs_spending_session" ON "jobs" USING btree ("spending_session") WHERE "jobs"."spending_session" is not null;--> statement-breakpoint
CREATE INDEX "jobs_reference" ON "jobs" USING btree ("account_id","reference","created_at" DESC NULLS LAST,"id" DESC NULLS LAST) WHERE "jobs"."reference" is not null;--> statement-breakpoint
CREATE INDEX "jobs_metadata" ON "jobs" USING gin ("metadata" jsonb_path_ops) WHERE "jobs"."metadata" <> '{}'::jsonb;--> statement-breakpoint
CREATE INDEX "jobs_deadline" ON "jobs" USING btree ("deadline_at") WHERE "jobs"."deadline_at" is not null and "jobs"."status" in ('QUEUED', 'PROCESSING');--> statement-breakpoint
CREATE UNIQUE INDEX "api_keys_sha256" ON "api_keys" USING btree ("sha256");--> statement-breakpoint
CREATE INDEX "api_keys_account" ON "api_keys" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "payment_events_received" ON "payment_events" USING btree ("received_at");--> statement-breakpoint
CREATE INDEX "payments_account" ON "payments" USING btree ("account_id","created_at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "payments_unsettled" ON "payments" USING btree ("account_id") WHERE "payments"."due_micro_usd" <> "payments"."credited_micro_usd";--> statement-breakpoint
CREATE INDEX "queue_entries_waiting" ON "queue_entries" USING btree ("lane","account_id","run_at","position") WHERE "queue_entries"."locked_by" is null;--> statement-breakpoint
CREATE INDEX "queue_entries_taken" ON "queue_entries" USING btree ("lane","account_id") WHERE "queue_entries"."locked_by" is not null;--> statement-breakpoint
CREATE INDEX "logged_requests_account" ON "logged_requests" USING btree ("account_id","created_at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "logged_requests_created" ON "logged_requests" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "idempotency_keys_created" ON "idempotency_keys" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "spending_alerts_unmailed" ON "spending_alerts" USING btree ("created_at") WHERE "spending_alerts"."mailed_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "invitations_account_email" ON "invitations" USING btree ("account_id","email");--> statement-breakpoint
CREATE UNIQUE INDEX "invitations_token" ON "invitations" USING btree ("token_sha256");--> statement-breakpoint
CREATE INDEX "invitations_expiring" ON "invitations" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "memberships_user" ON "memberships" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "audit_events_account" ON "audit_events" USING btree ("account_id","id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "audit_events_user" ON "audit_events" USING btree ("account_id","user_id","id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "audit_events_created" ON "audit_events" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "credentials_user" ON "credentials" USING btree ("user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "passkeys_credential" ON "passkeys" USING btree ("credential_id");--> statement-breakpoint
CREATE INDEX "passkeys_user" ON "passkeys" USING btree ("user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "sessions_token" ON "sessions" USING btree ("token");--> statement-breakpoint
CREATE INDEX "sessions_user" ON "sessions" USING btree ("user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "users_email" ON "users" USING btree ("email");--> statement-breakpoint
CREATE INDEX "users_account" ON "users" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "verifications_identifier" ON "verifications" USING btree ("identifier");--> statement-breakpoint
CREATE INDEX "entries_transfer" ON "entries" USING btree ("transfer_id");--> statement-breakpoint
CREATE INDEX "entries_ledger_account" ON "entries" USING btree ("ledger_account_id","id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "entries_credits" ON "entries" USING btree ("ledger_account_id","id" DESC NULLS LAST) WHERE "entries"."amount_micro_usd" > 0;--> statement-breakpoint
CREATE INDEX "entries_category" ON "entries" USING btree ("ledger_account_id","category","id" DESC NULLS LAST) WHERE "entries"."category" is not null;--> statement-breakpoint
CREATE INDEX "holds_open" ON "holds" USING btree ("ledger_account_id") WHERE "holds"."state" = 'open';--> statement-breakpoint
CREATE UNIQUE INDEX "ledger_accounts_owner" ON "ledger_accounts" USING btree ("owner_id");--> statement-breakpoint
CREATE UNIQUE INDEX "ledger_accounts_house" ON "ledger_accounts" USING btree ("kind") WHERE "ledger_accounts"."owner_id" is null;--> statement-breakpoint
CREATE INDEX "webhook_deliveries_reference" ON "webhook_deliveries" USING btree ("reference");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_created" ON "webhook_deliveries" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_account" ON "webhook_deliveries" USING btree ("account_id","created_at" DESC NULLS LAST,"id" DESC NULLS LAST);
--> statement-breakpoint

-- What holds for money whoever writes to these tables.
create function refuse() returns trigger language plpgsql as $$
begin
  raise exception '% on % refused: %', lower(tg_op), tg_table_name, tg_argv[0] using errcode = 'integrity_constraint_violation';
end $$;

create trigger transfers_append_only before update or delete or truncate on transfers
  for each statement execute function refuse('the ledger is append only');
create trigger entries_append_only before update or delete or truncate on entries
  for each statement execute function refuse('the ledger is append only');
create trigger holds_kept before delete or truncate on holds
  for each statement execute function refuse('a hold is kept for ever');
create trigger ledger_accounts_kept before delete or truncate on ledger_accounts
  for each statement execute function refuse('a ledger account is kept for ever');

-- A wallet's two sums are written by the triggers below, which run one level down, and by nothing else.
create trigger ledger_accounts_start_empty before insert on ledger_accounts
  for each row when (new.balance_micro_usd <> 0 or new.held_micro_usd <> 0)
  execute function refuse('a ledger account starts empty');
create trigger ledger_accounts_sums before update on ledger_accounts
  for each row when (pg_trigger_depth() = 0
    or (new.id, new.kind, new.owner_id) is distinct from (old.id, old.kind, old.owner_id))
  execute function refuse('balance and held follow from entries and holds');

create function write_entry() returns trigger language plpgsql as $$
begin
  if not exists (select from transfers where id = new.transfer_id and written_in = pg_current_xact_id()) then
    raise exception 'transfer % is closed: entries come in its own transaction', new.transfer_id
      using errcode = 'integrity_constraint_violation';
  end if;
  update ledger_accounts set balance_micro_usd = balance_micro_usd + new.amount_micro_usd
    where id = new.ledger_account_id and kind = 'wallet';
  if not found and not exists (
    select from ledger_accounts where id = new.ledger_account_id and kind <> 'wallet'
  ) then
    raise exception 'entry refused: there is no ledger account %', new.ledger_account_id
      using errcode = 'foreign_key_violation';
  end if;
  return null;
end $$;
create trigger entries_write after insert on entries for each row execute function write_entry();

create trigger holds_start_open before insert on holds
  for each row when (new.state <> 'open') execute function refuse('a hold starts open');
create trigger holds_settle_once before update on holds
  for each row when (old.state <> 'open' or new.state = 'open'
    or (new.id, new.ledger_account_id, new.amount_micro_usd, new.reference)
      is distinct from (old.id, old.ledger_account_id, old.amount_micro_usd, old.reference))
  execute function refuse('a hold changes once, from open to captured or released');

create function write_hold() returns trigger language plpgsql as $$
begin
  update ledger_accounts
    set held_micro_usd = held_micro_usd
      + case new.state when 'open' then new.amount_micro_usd else -new.amount_micro_usd end
    where id = new.ledger_account_id;
  if not found then
    raise exception 'hold % refused: there is no ledger account %', new.reference, new.ledger_account_id
      using errcode = 'foreign_key_violation';
  end if;
  if new.state = 'captured' and (select kind from transfers where id = new.transfer_id) <> 'capture' then
    raise exception 'hold % refused: transfer % is no capture', new.reference, new.transfer_id
      using errcode = 'integrity_constraint_violation';
  end if;
  return null;
end $$;
create trigger holds_write after insert or update on holds for each row execute function write_hold();

-- Looked at when the transaction commits, so that a transfer, its entries and its hold may come in any order.
create function check_transfer(checked_id uuid) returns void language plpgsql as $$
declare
  entry_count bigint;
  total numeric;
begin
  select count(*), sum(amount_micro_usd) into entry_count, total from entries where transfer_id = checked_id;
  if entry_count < 2 or total <> 0 then
    raise exception 'transfer % has % entries that sum to %: at least 2 must sum to 0', checked_id, entry_count, total
      using errcode = 'integrity_constraint_violation';
  end if;
  if (select kind = 'capture' from transfers where id = checked_id) and not exists (
    select from holds join entries using (transfer_id, ledger_account_id)
      where transfer_id = checked_id and -entries.amount_micro_usd between 1 and holds.amount_micro_usd
  ) then
    raise exception 'transfer % captures no hold, or more than it', checked_id
      using errcode = 'integrity_constraint_violation';
  end if;
end $$;

create function check_new_transfer() returns trigger language plpgsql as $$
begin
  perform check_transfer(new.id);
  return null;
end $$;
create constraint trigger transfers_balance after insert on transfers
  deferrable initially deferred for each row execute function check_new_transfer();

create function check_transfer_of_entry() returns trigger language plpgsql as $$
begin
  perform check_transfer(new.transfer_id);
  return null;
end $$;
create constraint trigger entries_balance after insert on entries
  deferrable initially deferred for each row execute function check_transfer_of_entry();

insert into ledger_accounts (kind) values ('funding'), ('revenue');
--> statement-breakpoint

-- The state table of the interface specification, held by the database itself: terminal states never change.

create function move_job() returns trigger language plpgsql as $$
begin
  if (old.status, new.status) not in (
    ('QUEUED', 'PROCESSING'), ('PROCESSING', 'COMPLETED'), ('PROCESSING', 'FAILED'), ('PROCESSING', 'ERROR')
  ) then
    raise exception 'job % cannot move from % to %', old.id, old.status, new.status
      using errcode = 'integrity_constraint_violation';
  end if;
  return new;
end $$;
create trigger jobs_move before update of status on jobs
  for each row when (old.status is distinct from new.status) execute function move_job();
--> statement-breakpoint

-- A person owns the account that was opened for them, however the row was written.
CREATE FUNCTION own_account() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO memberships (account_id, user_id, role) VALUES (NEW.account_id, NEW.id, 'owner')
    ON CONFLICT (account_id, user_id) DO UPDATE SET role = 'owner';
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER users_own_account AFTER INSERT OR UPDATE OF account_id ON users
  FOR EACH ROW EXECUTE FUNCTION own_account();
--> statement-breakpoint

ALTER TABLE "chore_runs" RENAME TO "task_runs";--> statement-breakpoint
-- Processes of the former version write to the table during an upgrade. A later migration drops the view, before any
-- change of these columns.
CREATE VIEW "chore_runs" AS SELECT * FROM "task_runs";
