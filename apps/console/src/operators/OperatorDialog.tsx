import { Button, Group, PasswordInput, Radio, Stack, TextInput } from '@mantine/core'
import {
  type OperatorAccount,
  operatorChange,
  operatorDraft,
  ProblemError,
  type Role,
  roles,
} from '@roomkeeper/contract'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { client } from '#api/client.ts'
import { useOperator } from '#api/OperatorContext.tsx'
import { textOf } from '#api/text-of-error.ts'
import { useCloseDialog } from '#ui/dialog/dialog-context.ts'
import { EditDialog, useRequestClose, useUnsavedChanges } from '#ui/EditDialog.tsx'
import { ProblemAlert } from '#ui/ProblemAlert.tsx'
import { toastSuccess } from '#ui/toast.ts'
import { useSentences } from '#ui/use-sentences.ts'
import { operatorsQuery } from './queries.ts'

/** @param account null makes a new one */
export function OperatorDialog({ account }: { account: OperatorAccount | null }) {
  const { t } = useTranslation('operators')
  const title = account === null ? t('create.title') : t('edit.title', { email: account.email })
  return (
    <EditDialog title={title} width="choice">
      <OperatorForm account={account} />
    </EditDialog>
  )
}

interface Fields {
  email: string
  name: string
  role: Role
  password: string
}

const newFields: Fields = { email: '', name: '', role: 'CLOUD_SUPPORT', password: '' }

function OperatorForm({ account }: { account: OperatorAccount | null }) {
  const { t } = useTranslation(['operators', 'app'])
  const [initial] = useState<Fields>(() => (account === null ? newFields : { ...newFields, ...account }))
  const [fields, setFields] = useState(initial)
  const { save, submit, errors, failure, forget } = useForm(account, fields, useCloseDialog())
  const cancel = useRequestClose()
  useUnsavedChanges(JSON.stringify(fields) !== JSON.stringify(initial))
  const set = (change: Partial<Fields>) => {
    setFields({ ...fields, ...change })
    forget(Object.keys(change))
  }
  const isOwn = useOperator().email === account?.email
  return (
    <form noValidate onSubmit={submit}>
      <Stack gap="md">
        <TextInput
          label={t('email')}
          type="email"
          required
          autoComplete="off"
          maxLength={320}
          data-autofocus
          value={fields.email}
          error={errors.email}
          onChange={(event) => set({ email: event.currentTarget.value })}
        />
        <TextInput
          label={t('name')}
          required
          autoComplete="off"
          maxLength={200}
          value={fields.name}
          error={errors.name}
          onChange={(event) => set({ name: event.currentTarget.value })}
        />
        <Radio.Group
          label={t('role')}
          description={isOwn ? t('edit.ownRole') : undefined}
          value={fields.role}
          onChange={(value) => set({ role: roles.find((role) => role === value) ?? fields.role })}
        >
          <Stack gap="xs" mt="xs">
            {roles.map((role) => (
              <Radio
                key={role}
                value={role}
                disabled={isOwn && role !== account?.role}
                label={t(`app:roles.${role}`)}
                description={t(`roles.${role}`)}
              />
            ))}
          </Stack>
        </Radio.Group>
        <PasswordInput
          label={account === null ? t('create.password') : t('edit.password')}
          description={account === null ? t('create.passwordHint') : t('edit.passwordHint')}
          required={account === null}
          autoComplete="new-password"
          spellCheck={false}
          visibilityToggleButtonProps={{ 'aria-label': t('showPassword') }}
          value={fields.password}
          error={errors.password}
          onChange={(event) => set({ password: event.currentTarget.value })}
        />
        {failure !== null && <ProblemAlert title={t('saveFailed')}>{failure}</ProblemAlert>}
        <Group justify="flex-end">
          <Button variant="default" onClick={cancel}>
            {t('app:cancel')}
          </Button>
          <Button type="submit" loading={save.isPending}>
            {account === null ? t('create.confirm') : t('edit.confirm')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

type Errors = Partial<Record<keyof Fields, string>>

/** Checks by the server's own rules before it is asked; what it refuses stands at its field too. */
function useForm(account: OperatorAccount | null, fields: Fields, onSaved: () => void) {
  const translated = useSentences('operators')
  const [errors, setErrors] = useState<Errors>({})
  const save = useSave(account, onSaved)
  const body = { ...fields, password: account !== null && fields.password === '' ? undefined : fields.password }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const form = event.currentTarget as HTMLFormElement
    const wrong = errorsOf(account === null, body)
    setErrors(wrong)
    const [first] = Object.keys(wrong)
    if (first === undefined && !save.isPending) save.mutate(body)
    if (first !== undefined) focusFirst(form)
  }
  const isTaken = save.error instanceof ProblemError && save.error.code === 'email-taken'
  const shown: Errors = isTaken ? { ...errors, email: textOf(save.error) } : errors
  return {
    save,
    submit,
    errors: Object.fromEntries(Object.entries(shown).map(([field, text]) => [field, translated(text)])) as Errors,
    failure: save.error === null || isTaken ? null : translated(textOf(save.error)),
    forget(changed: string[]) {
      save.reset()
      setErrors(Object.fromEntries(Object.entries(errors).filter(([field]) => !changed.includes(field))))
    },
  }
}

type Body = Omit<Fields, 'password'> & { password: string | undefined }

function errorsOf(isNew: boolean, { role: _, ...texts }: Body): Errors {
  const checked = (isNew ? operatorDraft : operatorChange).omit({ role: true }).safeParse(texts)
  if (checked.success) return {}
  // The first message of a field.
  return Object.fromEntries(checked.error.issues.map((issue) => [issue.path[0], issue.message]).reverse()) as Errors
}

/** Once the messages are drawn. */
function focusFirst(form: HTMLFormElement): void {
  requestAnimationFrame(() => form.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus())
}

function useSave(account: OperatorAccount | null, onSaved: () => void) {
  const { t } = useTranslation('operators')
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ password, ...body }: Body) =>
      account === null
        ? client.call('createOperator', { body: { ...body, password: password ?? '' } })
        : client.call('changeOperator', { params: { id: account.id }, body: { ...body, password } }),
    onSuccess: (_, { email }) => {
      toastSuccess(account === null ? t('create.done') : t('edit.done'), email)
      onSaved()
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: operatorsQuery.queryKey }),
  })
}
