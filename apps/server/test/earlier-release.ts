/** Takes a database back to the tables, triggers and rows of the last release in which steps had no ids. */
const statements = [
  'drop trigger operation_steps_id on operation_steps',
  'drop trigger operations_step_id on operations',
  'drop trigger operations_step_ids on operations',
  'drop function set_step_id',
  'drop function set_current_step_id',
  'drop function set_step_ids',
  'drop function step_id_of',
  'alter table operation_steps drop column step_id',
  'alter table operations drop column step_id',
  `delete from schema_changes where name like '%step-ids%'`,
]

export async function takeBackStepIds(run: (statement: string) => Promise<unknown>): Promise<void> {
  for (const statement of statements) await run(statement)
}
