ALTER TABLE "jobs" ALTER COLUMN "warnings" DROP DEFAULT;--> statement-breakpoint
-- Earlier warnings stay as their messages.
ALTER TABLE "jobs" ALTER COLUMN "warnings" SET DATA TYPE jsonb USING to_jsonb("warnings");--> statement-breakpoint
ALTER TABLE "jobs" ALTER COLUMN "warnings" SET DEFAULT '[]'::jsonb;
