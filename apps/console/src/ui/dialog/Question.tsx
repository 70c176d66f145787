import { Button, Group, Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isSessionEnd, textOf } from '#locales/error-texts.ts'
import { ButtonWithReason } from '../ActionButtons.tsx'
import { ProblemAlert } from '../ProblemAlert.tsx'
import { SlowAnswer } from '../SlowAnswer.tsx'
import { toastError } from '../toast.ts'
import { Dialog, DialogFoot, type DialogProps } from './Dialog.tsx'
import { useCloseDialog } from './open-dialogs.ts'

export interface QuestionProps extends Pick<DialogProps, 'title' | 'closesOutside'> {
  /** Whether there is much to read: the dialog is wide, and its buttons stay in view. */
  isLong?: boolean
  question: string
  /** What will happen. */
  consequence?: string
  /** Further content, to read or to decide on. */
  details?: ReactNode
  /** The label of the button, which repeats the verb of the question. */
  confirm: string
  /** The label of Cancel; by default 'Cancel'. */
  cancel?: string
  danger?: boolean
  /** A name that must be typed first. */
  nameToType?: string
  /** The title of a failure. */
  failed?: string
  /** The text of a failure, if it is not the server's. */
  textOf?: (error: unknown) => string
  /** Whether the dialog, once confirmed, cannot be closed until the answer arrives. */
  isBinding?: boolean
  /** A hook that says why the action is not possible now; null: it is. */
  useWhyNot?: () => string | null
  run: () => Promise<void>
}

/** The dialog that `confirm` opens. Cancel has the focus at first. */
export function Question(props: QuestionProps) {
  const { title, isLong = false, closesOutside = true, question, consequence, nameToType } = props
  const { t } = useTranslation('app')
  const [typed, setTyped] = useState('')
  const whyNot = (props.useWhyNot ?? useNothing)()
  const close = useCloseDialog()
  const isLeft = useRef(false)
  const tellFailure = (failure: Error) => {
    // A question that was closed meanwhile cannot show it.
    if (isLeft.current && !isSessionEnd(failure)) toastError(props.failed ?? title, (props.textOf ?? textOf)(failure))
  }
  const { mutate, isPending, error } = useMutation({ mutationFn: props.run, onSuccess: close, onError: tellFailure })
  const leave = () => {
    if (isPending && props.isBinding === true) return
    isLeft.current = true
    close()
  }
  useEffect(() => {
    isLeft.current = false
    return () => {
      isLeft.current = true
    }
  }, [])
  return (
    <Dialog title={title} width={isLong ? 'wide' : 'medium'} closesOutside={closesOutside} onClose={leave}>
      <Text>{question}</Text>
      {consequence !== undefined && (
        <Text size="sm" c="dimmed" mt="xs">
          {consequence}
        </Text>
      )}
      {props.details}
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
      {props.isBinding !== true && <SlowAnswer isWaiting={isPending} text={t('slow.question')} />}
      {error !== null && (
        <ProblemAlert mt="md" title={props.failed}>
          {(props.textOf ?? textOf)(error)}
        </ProblemAlert>
      )}
      <Foot isLong={isLong}>
        <Button variant="default" data-autofocus onClick={leave}>
          {props.cancel ?? t('cancel')}
        </Button>
        <ButtonWithReason
          color={props.danger === true ? 'red' : undefined}
          why={whyNot}
          disabled={nameToType !== undefined && typed.trim() !== nameToType}
          loading={isPending}
          onClick={() => mutate()}
        >
          {props.confirm}
        </ButtonWithReason>
      </Foot>
    </Dialog>
  )
}

/** The buttons of a long dialog stay in view. */
function Foot({ isLong, children }: { isLong: boolean; children: ReactNode }) {
  if (isLong) return <DialogFoot>{children}</DialogFoot>
  return (
    <Group justify="flex-end" mt="lg">
      {children}
    </Group>
  )
}

function useNothing(): null {
  return null
}
