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
ALTER TABLE "accounts" ADD COLUMN "monthly_cap_micro_usd" bigint;--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "event_url" text;--> statement-breakpoint
ALTER TABLE "account_spending" ADD CONSTRAINT "account_spending_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "spending_alerts" ADD CONSTRAINT "spending_alerts_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "spending_alerts_unmailed" ON "spending_alerts" USING btree ("created_at") WHERE "spending_alerts"."mailed_at" is null;--> statement-breakpoint
-- What this month has cost so far, and what is held, counts towards a cap that is set now.
INSERT INTO "account_spending" ("account_id", "month", "reserved_micro_usd", "charged_micro_usd")
SELECT "owner_id", to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM'), "charged" + "held", "charged" FROM (
	SELECT "owner_id", "held_micro_usd" AS "held", coalesce((
		SELECT -sum("amount_micro_usd") FROM "entries" JOIN "transfers" ON "transfers"."id" = "transfer_id"
		WHERE "ledger_account_id" = "ledger_accounts"."id" AND "transfers"."kind" = 'capture'
			AND "transfers"."created_at" >= date_trunc('month', now() AT TIME ZONE 'UTC') AT TIME ZONE 'UTC'), 0) AS "charged"
	FROM "ledger_accounts" WHERE "kind" = 'wallet') AS "wallets"
WHERE "charged" + "held" > 0;
