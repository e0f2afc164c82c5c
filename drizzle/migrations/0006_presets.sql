CREATE TABLE "presets" (
	"account_id" uuid NOT NULL,
	"name" text NOT NULL,
	"version" integer NOT NULL,
	"steps" jsonb NOT NULL,
	"outputs" jsonb NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "presets_account_id_name_version_pk" PRIMARY KEY("account_id","name","version")
);
--> statement-breakpoint
ALTER TABLE "presets" ADD CONSTRAINT "presets_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;