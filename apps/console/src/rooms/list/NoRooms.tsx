import { Button } from '@mantine/core'
import { IconDoor, IconPlugConnectedX, IconSearchOff } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { textOf } from '#api/text-of-error.ts'
import { EmptyState } from '#ui/EmptyState.tsx'
import type { RoomListState } from './use-room-list.ts'

const icon = { size: 36, stroke: 1.3, 'aria-hidden': true } as const

/** Why there are no rows: they could not be loaded, nothing matches, or there are no rooms yet. */
export function NoRooms({ list }: { list: RoomListState }) {
  const { t } = useTranslation(['rooms', 'app'])
  if (list.answer === undefined) {
    return (
      <EmptyState
        isError
        icon={<IconPlugConnectedX {...icon} />}
        title={t('empty.failed')}
        text={textOf(list.error)}
        action={<Button onClick={list.refetch}>{t('app:tryAgain')}</Button>}
      />
    )
  }
  if (list.isNarrowed) {
    return (
      <EmptyState
        icon={<IconSearchOff {...icon} />}
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
  return <EmptyState icon={<IconDoor {...icon} />} title={t('empty.nothing')} text={t('empty.nothingText')} />
}
