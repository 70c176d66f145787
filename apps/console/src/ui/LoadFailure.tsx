import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { ProblemAlert } from './ProblemAlert.tsx'

interface LoadFailureProps {
  title: string
  text: string
  onAgain: () => void
}

/** Stands where something could not be loaded. */
export function LoadFailure({ title, text, onAgain }: LoadFailureProps) {
  const { t } = useTranslation('app')
  return (
    <ProblemAlert title={title} data-wide>
      <div>{text}</div>
      <Button mt="xs" size="compact-sm" variant="default" onClick={onAgain}>
        {t('tryAgain')}
      </Button>
    </ProblemAlert>
  )
}
