import { type Db, queryRows } from '#platform/database.ts'

import { tidySelections } from './selection-digest.ts'

/** Housekeeping: a bulk is shown as long as the record of its operation is kept. */
export async function tidyBulks(db: Db): Promise<void> {
  await queryRows(
    db,
    `delete from bulks where ended_at < now() - interval '1 day' and not exists (select from operations o where o.id = bulks.id)`,
  )
  await tidySelections(db)
}
