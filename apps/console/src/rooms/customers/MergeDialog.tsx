import { useDebouncedValue } from '@mantine/hooks'
import { type CustomerDetail, customerAlias } from '@roomkeeper/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { client } from '#api/client.ts'
import { useCloseDialog } from '#ui/dialog/open-dialogs.ts'
import { hintBelow, TextField } from '#ui/form/Fields.tsx'
import { DialogButtons, Form, FormFailure } from '#ui/form/Form.tsx'
import { FormDialog } from '#ui/form/FormDialog.tsx'
import { useResourceForm } from '#ui/form/use-resource-form.ts'
import { toastSuccess } from '#ui/toast.ts'
import { customersQuery, refetchCustomers } from './queries.ts'

/** Says that another company is this customer. */
export function MergeDialog({ customer }: { customer: CustomerDetail }) {
  const { t } = useTranslation('room-customers')
  return (
    <FormDialog title={t('merge.title', { name: customer.name })}>
      <MergeEntries customer={customer} />
    </FormDialog>
  )
}

function MergeEntries({ customer }: { customer: CustomerDetail }) {
  const { t } = useTranslation('room-customers')
  const form = useMergeForm(customer)
  const offered = useId()
  return (
    <Form form={form}>
      <TextField
        {...hintBelow}
        name="name"
        label={t('merge.name')}
        description={t('merge.nameHint', { name: customer.name })}
        withAsterisk
        autoComplete="off"
        list={offered}
      />
      <Offered id={offered} typed={form.values.name} without={customer.key} />
      <FormFailure title={t('merge.failed')} />
      <DialogButtons submit={t('merge.confirm')} />
    </Form>
  )
}

const typingMilliseconds = 200

/** The companies that what is typed may be meant for. */
function Offered({ id, typed, without }: { id: string; typed: string; without: string }) {
  const [search] = useDebouncedValue(typed.trim().slice(0, 200), typingMilliseconds)
  const { data } = useQuery({ ...customersQuery({ search, size: 20 }), enabled: search !== '' })
  const others = data?.data.filter(({ key }) => key !== without) ?? []
  return (
    <datalist id={id}>
      {others.map(({ key, name }) => (
        <option key={key} value={name} />
      ))}
    </datalist>
  )
}

function useMergeForm({ name: isNamed }: CustomerDetail) {
  const { t } = useTranslation('room-customers')
  const queryClient = useQueryClient()
  const close = useCloseDialog()
  return useResourceForm({
    initial: { name: '' },
    bodyOf: ({ name }) => ({ name, isNamed }),
    schema: customerAlias,
    refusals: { 'customer-unknown': 'name', 'customer-same': 'name' },
    submit: (body) => client.call('mergeCustomers', { body }),
    onSuccess: (_, { name }) => {
      close()
      toastSuccess(isNamed, t('merge.done', { name }))
      return refetchCustomers(queryClient)
    },
  })
}
