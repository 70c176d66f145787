import { Button } from '@mantine/core'
import { ProblemError } from '@roomkeeper/contract'
import { IconDoorOff, IconPlugConnectedX } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { textOf } from '#locales/error-texts.ts'
import { EmptyState } from '#ui/EmptyState.tsx'

/** Shown if there is no room of that name, or it could not be loaded. */
export function RoomNotFound({ error, onAgain }: { error: Error | null; onAgain: () => void }) {
  const { t } = useTranslation(['rooms', 'app'])
  const isUnknown = error instanceof ProblemError && error.problem.status === 404
  return (
    <EmptyState
      isError
      icon={isUnknown ? IconDoorOff : IconPlugConnectedX}
      title={isUnknown ? t('room.unknown') : t('room.failed')}
      text={textOf(error)}
      action={!isUnknown && <Button onClick={onAgain}>{t('app:tryAgain')}</Button>}
    />
  )
}
