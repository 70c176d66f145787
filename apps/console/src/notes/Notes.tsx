import { Button } from '@mantine/core'
import type { ProjectRoom, RoomNote } from '@roomkeeper/contract'
import { mayChangeNote } from '@roomkeeper/rules'
import { IconPencil, IconPin, IconPinned, IconPinnedOff, IconPlus, IconTrash } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { client } from '#api/client.ts'
import { useRefetchOnEvents } from '#api/follow-up.ts'
import { useOperator } from '#api/OperatorContext.tsx'
import { loadStateOf } from '#api/queries.ts'
import { IconAction } from '#ui/ActionButtons.tsx'
import { confirm } from '#ui/dialog/confirm.tsx'
import { openDialog } from '#ui/dialog/open-dialogs.ts'
import { formatRecent, useNumberFormat } from '#ui/format.ts'
import { onDemand } from '#ui/on-demand.tsx'
import { NotLoaded } from '#ui/table/NotLoaded.tsx'
import classes from './notes.module.css'
import { roomNotesQuery } from './queries.ts'

const NoteDialog = onDemand(() => import('./NoteDialog.tsx'), 'NoteDialog')

/** Beside those that are pinned, so many are shown at first. */
const shownAtFirst = 3

/** What operators have written about a room: pinned notes first, then the newest. */
export function Notes({ room: { tenantName: name } }: { room: ProjectRoom }) {
  const { t } = useTranslation('notes')
  const number = useNumberFormat()
  const [areAllShown, setAreAllShown] = useState(false)
  const query = roomNotesQuery(name)
  const notes = useQuery(query)
  useRefetchOnEvents(query.queryKey, (event) => event.type === 'room' && event.room === name)
  const { data } = notes
  const first = (data?.filter(({ pinned }) => pinned).length ?? 0) + shownAtFirst
  const more = (data?.length ?? 0) - first
  return (
    <section className="rk-column rk-gap-xs" aria-label={t('title')}>
      <div className="rk-line">
        <h3 className="rk-group-title">{t('title')}</h3>
        <Button
          variant="subtle"
          size="compact-xs"
          leftSection={<IconPlus size={14} aria-hidden />}
          onClick={() => openDialog(<NoteDialog room={name} note={null} />)}
        >
          {t('add')}
        </Button>
      </div>
      {data === undefined && <NotLoaded {...loadStateOf(notes, t('failed'))} />}
      {data?.length === 0 && <p className="rk-note">{t('none')}</p>}
      {data !== undefined && data.length > 0 && (
        <ul className="rk-list rk-column rk-gap-xs">
          {(areAllShown ? data : data.slice(0, first)).map((note) => (
            <Note key={note.id} room={name} note={note} />
          ))}
        </ul>
      )}
      {more > 0 && (
        <div>
          <button
            type="button"
            className="rk-link"
            aria-expanded={areAllShown}
            onClick={() => setAreAllShown(!areAllShown)}
          >
            {areAllShown ? t('fewer') : t('more', { count: more, n: number.format(more) })}
          </button>
        </div>
      )}
    </section>
  )
}

interface NoteProps {
  room: string
  note: RoomNote
}

function Note({ room, note }: NoteProps) {
  const { t } = useTranslation('notes')
  const { role } = useOperator()
  const { text, pinned, author, createdAt, changedBy, changedAt } = note
  return (
    <li className={classes.note} data-pinned={pinned || undefined}>
      <div className="rk-grow">
        <p className={classes.text}>{text}</p>
        <p className="rk-note">
          {pinned && <IconPin size={13} stroke={1.9} role="img" aria-label={t('pinned')} />} {author} ·{' '}
          <time dateTime={createdAt}>{formatRecent(createdAt)}</time>
          {changedBy !== null && changedAt !== null && (
            <> · {t('changed', { by: changedBy, at: formatRecent(changedAt) })}</>
          )}
        </p>
      </div>
      {mayChangeNote(role, note) && <NoteActions room={room} note={note} />}
    </li>
  )
}

function NoteActions({ room, note }: NoteProps) {
  const { t } = useTranslation('notes')
  const queryClient = useQueryClient()
  const { id, text, pinned } = note
  const refetch = () => queryClient.invalidateQueries({ queryKey: ['rooms'] })
  const pin = useMutation({
    mutationFn: () => client.call('changeRoomNote', { params: { id }, body: { pinned: !pinned } }),
    onSettled: refetch,
    meta: { failed: t(pinned ? 'unpinFailed' : 'pinFailed') },
  })
  const remove = () =>
    confirm({
      title: t('delete.title'),
      question: t('delete.question'),
      details: <blockquote className={classes.quote}>{text}</blockquote>,
      confirm: t('delete.title'),
      danger: true,
      failed: t('delete.failed'),
      run: () => client.call('deleteRoomNote', { params: { id } }).finally(() => void refetch()),
    })
  return (
    <div className={classes.actions}>
      <IconAction
        label={t(pinned ? 'unpin' : 'pin')}
        icon={pinned ? IconPinnedOff : IconPinned}
        isBusy={pin.isPending}
        onClick={() => pin.mutate()}
      />
      <IconAction
        label={t('edit.open')}
        icon={IconPencil}
        onClick={() => openDialog(<NoteDialog room={room} note={note} />)}
      />
      <IconAction label={t('delete.open')} icon={IconTrash} onClick={() => void remove()} />
    </div>
  )
}
