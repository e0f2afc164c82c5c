ALTER TABLE "entries" ADD COLUMN "category" text;--> statement-breakpoint
-- Earlier charges name their job, whose id starts with the operation's.
ALTER TABLE "entries" DISABLE TRIGGER "entries_append_only";--> statement-breakpoint
UPDATE "entries" SET "category" = regexp_replace("transfers"."reference", '(-batch)?_[^_]*$', '')
FROM "transfers", "ledger_accounts"
WHERE "transfers"."id" = "entries"."transfer_id" AND "transfers"."kind" = 'capture'
  AND "ledger_accounts"."id" = "entries"."ledger_account_id" AND "ledger_accounts"."kind" = 'wallet';--> statement-breakpoint
ALTER TABLE "entries" ENABLE TRIGGER "entries_append_only";--> statement-breakpoint
CREATE INDEX "entries_category" ON "entries" USING btree ("ledger_account_id","category","id" DESC NULLS LAST) WHERE "entries"."category" is not null;