import { Box, type BoxProps } from '@mantine/core'
import type { PinnedNote } from '@roomkeeper/contract'
import { IconPin } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { formatMinute, useNumberFormat } from '#ui/format.ts'
import classes from './notes.module.css'

interface PinnedNotesProps extends Pick<BoxProps, 'mt'> {
  notes: readonly (PinnedNote & { projectRoomName?: string })[]
  /** For several rooms: how many have pinned notes. `notes` may have only those of the first rooms. */
  rooms?: number
}

/** The pinned notes of the rooms with which something is about to be done; nothing without notes. */
export function PinnedNotes({ notes, rooms, mt }: PinnedNotesProps) {
  const { t } = useTranslation('rooms')
  const number = useNumberFormat()
  if (notes.length === 0) return null
  const title =
    rooms === undefined
      ? t('notes.title', { count: notes.length })
      : t('notes.ofRooms', { count: rooms, n: number.format(rooms) })
  const more = rooms === undefined ? 0 : rooms - new Set(notes.map(({ projectRoomName }) => projectRoomName)).size
  return (
    <Box component="section" mt={mt} className={classes.pinned} aria-label={title}>
      <h3 className="rk-line">
        <IconPin size={15} stroke={1.9} aria-hidden />
        {title}
      </h3>
      <ul className="rk-list rk-column rk-gap-xs">
        {notes.map(({ id, text, author, createdAt, projectRoomName }) => (
          <li key={id}>
            {rooms !== undefined && <strong>{projectRoomName}</strong>}
            <p className={classes.text}>{text}</p>
            <p className="rk-note">{t('notes.by', { author, at: formatMinute(createdAt) })}</p>
          </li>
        ))}
      </ul>
      {more > 0 && <p className="rk-note">{t('notes.more', { count: more, n: number.format(more) })}</p>}
    </Box>
  )
}
