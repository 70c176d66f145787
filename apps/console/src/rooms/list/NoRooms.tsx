import { Button } from '@mantine/core'
import { IconDoor, IconSearchOff } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '#ui/EmptyState.tsx'
import type { RoomListState } from './use-room-list.ts'

/** Why there are no rows: nothing matches, or there are no rooms yet. */
export function NoRooms({ list }: { list: RoomListState }) {
  const { t } = useTranslation('rooms')
  if (!list.isNarrowed) return <EmptyState icon={IconDoor} title={t('empty.nothing')} text={t('empty.nothingText')} />
  return (
    <EmptyState
      icon={IconSearchOff}
      title={t('empty.noMatch')}
      text={t('empty.noMatchText')}
      action={
        <Button variant="default" onClick={list.resetFilter}>
          {t('empty.reset')}
        </Button>
      }
    />
  )
}
