import { Button, Group, Text, TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Dialog, type DialogWidth } from './Dialog.tsx'
import { ProblemAlert } from './ProblemAlert.tsx'

interface ConfirmDialogProps extends QuestionProps {
  isOpen: boolean
  /** Names the action and the object. */
  title: string
  width?: DialogWidth
}

interface QuestionProps {
  onClose: () => void
  question: string
  /** What will happen. */
  consequence?: string | undefined
  /** Repeats the verb. */
  confirm: string
  /** What the way back is called; Cancel unless told otherwise. */
  cancel?: string
  isDangerous?: boolean
  /** A name that must be typed before. */
  nameToType?: string | undefined
  isPending: boolean
  /** Why it did not work. */
  failure: { title: string; text: string } | null
  onConfirm: () => void
  /** More to decide on. */
  children?: ReactNode
}

/** Asks before something is done, and stays open when that fails. The first focus is on the way back. */
export function ConfirmDialog({ isOpen, title, width = 'question', ...question }: ConfirmDialogProps) {
  return (
    <Dialog isOpen={isOpen} onClose={question.onClose} title={title} width={width} closesOutside>
      <Question {...question} />
    </Dialog>
  )
}

function Question(props: QuestionProps) {
  const { onClose, question, consequence, confirm, cancel, isDangerous, nameToType, isPending, failure } = props
  const { t } = useTranslation('app')
  const [typed, setTyped] = useState('')
  const isTyped = nameToType === undefined || typed.trim() === nameToType
  return (
    <>
      <Text>{question}</Text>
      {consequence !== undefined && (
        <Text size="sm" c="dimmed" mt="xs">
          {consequence}
        </Text>
      )}
      {props.children}
      {nameToType !== undefined && (
        <TextInput
          mt="md"
          label={t('typeName', { name: nameToType })}
          autoComplete="off"
          spellCheck={false}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
      )}
      {failure !== null && (
        <ProblemAlert mt="md" title={failure.title}>
          {failure.text}
        </ProblemAlert>
      )}
      <Group justify="flex-end" mt="lg">
        <Button variant="default" data-autofocus onClick={onClose}>
          {cancel ?? t('cancel')}
        </Button>
        <Button
          {...(isDangerous === true ? { color: 'red' } : {})}
          disabled={!isTyped}
          loading={isPending}
          onClick={props.onConfirm}
        >
          {confirm}
        </Button>
      </Group>
    </>
  )
}
