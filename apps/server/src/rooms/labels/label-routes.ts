/** The calls about labels: which there are, and those of one room. */
import { fieldError, type Label, labelsAtMost } from '@roomkeeper/contract'
import { colourOfLabel, labelsWith } from '@roomkeeper/rules'
import { type Database, type Db, queryRows } from '#platform/database.ts'
import { type Handlers, ok, okShared } from '#platform/http/handler.ts'
import { refuse, refuseInput } from '#platform/refuse.ts'
import { sharedReads } from '#platform/shared-reads.ts'
import { findRoom } from '../find-room.ts'
import { lockRoom } from '../stored-room.ts'
import { setLabels } from './set-labels.ts'

type LabelHandlers = Pick<Handlers, 'labels' | 'labelRoom'>

export function labelHandlers(database: Database): LabelHandlers {
  // It counts all labelled rooms, and the answer is the same for each caller.
  const sharedLabels = sharedReads(async () => okShared(await readLabels(database.db)))
  return {
    labels: () => sharedLabels(null),
    labelRoom: ({ body: { projectRoom, labels: all, add = [], remove = [] }, caller, requestId }) =>
      database.transaction(async (tx) => {
        const { row } = await lockRoom(tx, projectRoom)
        const labels = all ?? labelsWith(row.labels, { add, remove })
        if (labels.length > labelsAtMost)
          throw refuseInput([fieldError('add', 'labels-too-many', { max: labelsAtMost })])
        await setLabels(tx, row, labels, { actor: caller.actor, requestId, operation: null })
        const room = await findRoom(tx, projectRoom)
        if (room === null) throw refuse('room-unknown', { room: projectRoom })
        return ok(room)
      }),
  }
}

const mostLabels = 1000

async function readLabels(db: Db): Promise<Label[]> {
  const rows = await queryRows<Omit<Label, 'colour'>>(
    db,
    `select (array_agg(label order by rooms desc, label))[1] as label, sum(rooms)::int as count
       from (select label, count(*) as rooms from rooms, unnest(labels) as label where labels <> '{}' group by 1) as spelled
      group by lower(label collate "und-x-icu") order by count desc, label limit ${mostLabels}`,
  )
  return rows.map(({ label, count }) => ({ label, colour: colourOfLabel(label), count }))
}
