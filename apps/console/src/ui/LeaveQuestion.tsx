import { Button, Group, Modal, Text } from '@mantine/core'
import { useBlocker } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'

interface LeaveQuestionProps {
  /** Whether something would be lost right now. */
  isNeeded: () => boolean
  title: string
  text: string
  stay: string
  leave: string
}

/** Asks before something is left behind, inside the console and when the tab closes. */
export function LeaveQuestion({ isNeeded, title, text, stay, leave }: LeaveQuestionProps) {
  const { t } = useTranslation('app')
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => isNeeded() && current.pathname !== next.pathname,
    enableBeforeUnload: isNeeded,
    withResolver: true,
  })
  const close = () => blocker.reset?.()
  return (
    <Modal
      opened={blocker.status === 'blocked'}
      onClose={close}
      closeOnClickOutside={false}
      title={title}
      // In a dialog Mantine's header would count as a second banner of the page.
      attributes={{ header: { role: 'none' } }}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      <Text size="sm">{text}</Text>
      <Group justify="flex-end" mt="lg">
        <Button variant="default" data-autofocus onClick={close}>
          {stay}
        </Button>
        <Button color="red" onClick={() => blocker.proceed?.()}>
          {leave}
        </Button>
      </Group>
    </Modal>
  )
}
