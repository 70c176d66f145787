import { Button, Group, TextInput } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import { useBlocker } from '@tanstack/react-router'
import { type ReactNode, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Dialog, DialogFoot } from './Dialog.tsx'
import classes from './dialog.module.css'
import { openDialog, useCloseDialog } from './open-dialogs.ts'

interface SecretDialogProps {
  title: string
  /** Says that the secret cannot be seen again. */
  note: string
  /** The label of the field with the secret. */
  label: string
  secret: string
  /** What to do with it. */
  children?: ReactNode
}

/**
 * Shows a secret this once. Only its button closes the dialog: neither a key nor a click outside nor another page does.
 * Import it before the secret is made, or a lost connection would lose the secret.
 */
export function showSecret(props: SecretDialogProps): void {
  openDialog(<SecretDialog {...props} />, { outlastsPage: true })
}

function SecretDialog({ title, note, label, secret, children }: SecretDialogProps) {
  const { t } = useTranslation('app')
  const close = useCloseDialog()
  // Reloading or closing the tab asks.
  useBlocker({ shouldBlockFn: () => false, enableBeforeUnload: true })
  return (
    <Dialog title={title} width="large" onClose={stay} hasCloseButton={false}>
      <div className="rk-column">
        <p className="rk-text">{note}</p>
        <Secret label={label} secret={secret} />
        {children}
      </div>
      <DialogFoot>
        <Button variant="default" onClick={close}>
          {t('close')}
        </Button>
      </DialogFoot>
    </Dialog>
  )
}

/** For Escape. */
function stay(): void {}

function Secret({ label, secret }: Pick<SecretDialogProps, 'label' | 'secret'>) {
  const { t } = useTranslation('app')
  const input = useRef<HTMLInputElement>(null)
  const { copy, copied } = useClipboard()
  const onCopy = () => {
    // Without https browsers have no clipboard: then the keys copy what is selected.
    input.current?.select()
    copy(secret)
  }
  return (
    <Group align="flex-end" gap="xs">
      <TextInput
        ref={input}
        label={label}
        readOnly
        value={secret}
        autoComplete="off"
        spellCheck={false}
        flex="1 1 260px"
        classNames={{ input: classes.input }}
        onFocus={(event) => event.currentTarget.select()}
      />
      <Button data-autofocus onClick={onCopy}>
        {copied ? t('copied') : t('copy')}
      </Button>
    </Group>
  )
}
