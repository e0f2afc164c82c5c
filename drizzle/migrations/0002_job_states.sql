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
