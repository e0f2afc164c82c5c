CREATE TABLE "tokens" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"key_id" uuid NOT NULL,
	"sha256" "bytea" NOT NULL,
	"operations" text[],
	"max_micro_usd" bigint NOT NULL,
	"spent_micro_usd" bigint DEFAULT 0 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"revoked_at" timestamp (3) with time zone,
	CONSTRAINT "tokens_spent_within_max" CHECK ("tokens"."spent_micro_usd" between 0 and "tokens"."max_micro_usd")
);
--> statement-breakpoint
ALTER TABLE "uploads" ADD COLUMN "key_id" uuid;--> statement-breakpoint
ALTER TABLE "uploads" ADD COLUMN "token_id" uuid;--> statement-breakpoint
ALTER TABLE "uploads" ADD COLUMN "name" text;--> statement-breakpoint
ALTER TABLE "uploads" ADD COLUMN "media_type" text;--> statement-breakpoint
ALTER TABLE "uploads" ADD COLUMN "deleted_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "jobs" ADD COLUMN "token_id" uuid;--> statement-breakpoint
ALTER TABLE "idempotency_keys" ADD COLUMN "content_fingerprint" "bytea";--> statement-breakpoint
ALTER TABLE "tokens" ADD CONSTRAINT "tokens_key_id_api_keys_id_fk" FOREIGN KEY ("key_id") REFERENCES "public"."api_keys"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "tokens_sha256" ON "tokens" USING btree ("sha256");--> statement-breakpoint
CREATE INDEX "tokens_key" ON "tokens" USING btree ("key_id","expires_at");--> statement-breakpoint
ALTER TABLE "uploads" ADD CONSTRAINT "uploads_key_id_api_keys_id_fk" FOREIGN KEY ("key_id") REFERENCES "public"."api_keys"("id") ON DELETE no action ON UPDATE no action;