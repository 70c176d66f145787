import { Button } from '@mantine/core'
import { ProblemError } from '@roomkeeper/contract'
import { IconDoorOff, IconPlugConnectedX } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { textOf } from '#locales/error-texts.ts'
import { EmptyState } from '#ui/EmptyState.tsx'
import { DeletedMatches } from './deleted/DeletedMatches.tsx'

interface RoomNotFoundProps {
  name: string
  error: Error | null
  onAgain: () => void
}

/** Shown if there is no room of that name, or it could not be loaded. */
export function RoomNotFound({ name, error, onAgain }: RoomNotFoundProps) {
  const { t } = useTranslation(['rooms', 'app'])
  const isUnknown = error instanceof ProblemError && error.problem.status === 404
  return (
    <EmptyState
      isError
      icon={isUnknown ? IconDoorOff : IconPlugConnectedX}
      title={isUnknown ? t('room.unknown') : t('room.failed')}
      text={textOf(error)}
      action={isUnknown ? <DeletedMatches search={name} /> : <Button onClick={onAgain}>{t('app:tryAgain')}</Button>}
    />
  )
}
