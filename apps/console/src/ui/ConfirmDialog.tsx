import { Button, Group, Modal, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ProblemAlert } from './ProblemAlert.tsx'

interface ConfirmDialogProps {
  isOpen: boolean
  onClose: () => void
  /** Names the action and the object. */
  title: string
  question: string
  /** What will happen. */
  consequence?: string | undefined
  /** Repeats the verb. */
  confirm: string
  /** What the way back is called; Cancel unless told otherwise. */
  cancel?: string
  isDangerous?: boolean
  isPending: boolean
  /** Why it did not work. */
  failure: { title: string; text: string } | null
  onConfirm: () => void
  /** More to decide on. */
  children?: ReactNode
}

/** Asks before something is done, and stays open when that fails. The first focus is on the way back. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { isOpen, onClose, title, question, consequence, confirm, cancel, isDangerous, isPending, failure } = props
  const { t } = useTranslation('app')
  return (
    <Modal opened={isOpen} onClose={onClose} title={title} closeButtonProps={{ 'aria-label': t('close') }}>
      <Text>{question}</Text>
      {consequence !== undefined && (
        <Text size="sm" c="dimmed" mt="xs">
          {consequence}
        </Text>
      )}
      {props.children}
      {failure !== null && (
        <ProblemAlert mt="md" title={failure.title}>
          {failure.text}
        </ProblemAlert>
      )}
      <Group justify="flex-end" mt="lg">
        <Button variant="default" data-autofocus onClick={onClose}>
          {cancel ?? t('cancel')}
        </Button>
        <Button {...(isDangerous === true ? { color: 'red' } : {})} loading={isPending} onClick={props.onConfirm}>
          {confirm}
        </Button>
      </Group>
    </Modal>
  )
}
