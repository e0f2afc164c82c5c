CREATE TABLE "retired_customers" (
	"customer_id" text PRIMARY KEY NOT NULL,
	"retry_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "automatic_top_ups" ALTER COLUMN "customer_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "automatic_top_ups" ALTER COLUMN "payment_method_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "automatic_top_ups" ADD COLUMN "ordered_at" timestamp (3) with time zone DEFAULT now() NOT NULL;--> statement-breakpoint
ALTER TABLE "automatic_top_ups" ADD COLUMN "stopped_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "automatic_top_ups" ADD CONSTRAINT "automatic_top_ups_method" CHECK (("automatic_top_ups"."stopped_at" is null) = ("automatic_top_ups"."customer_id" is not null and "automatic_top_ups"."payment_method_id" is not null));