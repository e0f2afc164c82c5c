CREATE TYPE "public"."payment_state" AS ENUM('pending', 'paid', 'failed');--> statement-breakpoint
CREATE TABLE "automatic_top_ups" (
	"account_id" uuid PRIMARY KEY NOT NULL,
	"threshold_micro_usd" bigint NOT NULL,
	"amount_micro_usd" bigint NOT NULL,
	"customer_id" text NOT NULL,
	"payment_method_id" text NOT NULL,
	"attempt_count" bigint DEFAULT 0 NOT NULL,
	"last_attempt_at" timestamp (3) with time zone,
	"refusal" text,
	CONSTRAINT "automatic_top_ups_positive" CHECK ("automatic_top_ups"."threshold_micro_usd" > 0 and "automatic_top_ups"."amount_micro_usd" > 0)
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
ALTER TABLE "automatic_top_ups" ADD CONSTRAINT "automatic_top_ups_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "payment_events_received" ON "payment_events" USING btree ("received_at");--> statement-breakpoint
CREATE INDEX "payments_account" ON "payments" USING btree ("account_id","created_at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "payments_unsettled" ON "payments" USING btree ("account_id") WHERE "payments"."due_micro_usd" <> "payments"."credited_micro_usd";