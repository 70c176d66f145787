import { Radio, Stack } from '@mantine/core'
import { type OperatorAccount, operatorChange, operatorDraft, type Role, roles } from '@roomkeeper/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { client } from '#api/client.ts'
import { useOperator } from '#api/OperatorContext.tsx'
import { useCloseDialog } from '#ui/dialog/open-dialogs.ts'
import { PasswordField, RadioField, TextField } from '#ui/form/Fields.tsx'
import { DialogButtons, Form, FormFailure } from '#ui/form/Form.tsx'
import { FormDialog } from '#ui/form/FormDialog.tsx'
import { useResourceForm } from '#ui/form/use-resource-form.ts'
import { toastSuccess } from '#ui/toast.ts'
import { operatorsQuery } from './use-operators.ts'

/** @param props.account null for a new account */
export function OperatorDialog({ account }: { account: OperatorAccount | null }) {
  const { t } = useTranslation('operators')
  const title = account === null ? t('create.title') : t('edit.title', { email: account.email })
  return (
    <FormDialog title={title} width="third">
      <OperatorForm account={account} />
    </FormDialog>
  )
}

const newAccount = { email: '', name: '', role: 'CLOUD_SUPPORT' as Role, password: '' }

function OperatorForm({ account }: { account: OperatorAccount | null }) {
  const { t } = useTranslation(['operators', 'app'])
  const isNew = account === null
  const form = useOperatorForm(account, useCloseDialog())
  const isOwn = useOperator().email === account?.email
  return (
    <Form form={form}>
      <TextField name="email" label={t('email')} type="email" required autoComplete="off" maxLength={320} />
      <TextField name="name" label={t('name')} required autoComplete="off" maxLength={200} />
      <RadioField name="role" label={t('role')} description={isOwn ? t('edit.ownRole') : undefined}>
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
      </RadioField>
      <PasswordField
        name="password"
        label={isNew ? t('create.password') : t('edit.password')}
        description={isNew ? t('create.passwordHint') : t('edit.passwordHint')}
        required={isNew}
        toggleLabel={t('showPassword')}
      />
      <FormFailure title={t('saveFailed')} />
      <DialogButtons submit={isNew ? t('create.confirm') : t('edit.confirm')} />
    </Form>
  )
}

function useOperatorForm(account: OperatorAccount | null, onSaved: () => void) {
  const { t } = useTranslation('operators')
  const queryClient = useQueryClient()
  return useResourceForm({
    initial: { ...newAccount, ...account },
    // An unchanged password is not sent. The role is not checked: it is chosen from a list, and a number on the wire.
    bodyOf: ({ password, ...rest }) => ({
      ...rest,
      password: account !== null && password === '' ? undefined : password,
    }),
    schema: (account === null ? operatorDraft : operatorChange).omit({ role: true }),
    showsErrors: 'after-submit',
    refusals: { 'email-taken': 'email' },
    submit: ({ password, ...body }) =>
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
