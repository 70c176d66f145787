import { Box, Button, Stack, Text, Title } from '@mantine/core'
import { type Icon, IconSearchOff } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

interface EmptyStateProps {
  icon: Icon
  title: string
  text: string
  /** The button for the one thing to do about it. */
  action?: ReactNode
  /** Something went wrong; announced to screen readers as an alert. */
  isError?: boolean
}

/** Shown instead of a list that is empty, has no match or could not be loaded. */
export function EmptyState({ icon: Icon, title, text, action, isError = false }: EmptyStateProps) {
  return (
    <Stack
      flex={1}
      align="center"
      justify="center"
      gap="2xs"
      mih={260}
      p="xl"
      ta="center"
      role={isError ? 'alert' : 'status'}
    >
      <Box c="dimmed" mb="xs">
        <Icon size={36} stroke={1.3} display="block" aria-hidden />
      </Box>
      <Title order={2} fw={700}>
        {title}
      </Title>
      <Text c="dimmed" maw={460} mb="md">
        {text}
      </Text>
      {action}
    </Stack>
  )
}

interface NoMatchProps {
  title: string
  text: string
  /** The label of the button, if it is not 'Reset filter'. */
  reset?: string
  onReset: () => void
  /** Stands above the button. */
  more?: ReactNode
  /** Use `xs` in dialogs. */
  size?: 'xs' | 'sm'
}

/** Shown if nothing matches the search or the filter. */
export function NoMatch({ title, text, reset, onReset, more, size = 'sm' }: NoMatchProps) {
  const { t } = useTranslation('app')
  const action = (
    <>
      {more}
      <Button size={size} variant="default" onClick={onReset}>
        {reset ?? t('resetFilter')}
      </Button>
    </>
  )
  return <EmptyState icon={IconSearchOff} title={title} text={text} action={action} />
}
