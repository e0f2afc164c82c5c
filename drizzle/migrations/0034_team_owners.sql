-- A person owns the account that was opened for them, however the row was written.
CREATE FUNCTION own_account() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO memberships (account_id, user_id, role) VALUES (NEW.account_id, NEW.id, 'owner')
    ON CONFLICT (account_id, user_id) DO UPDATE SET role = 'owner';
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER users_own_account AFTER INSERT OR UPDATE OF account_id ON users
  FOR EACH ROW EXECUTE FUNCTION own_account();--> statement-breakpoint
INSERT INTO memberships (account_id, user_id, role, created_at)
  SELECT account_id, id, 'owner', created_at FROM users;
