import { Checkbox, Text, Textarea } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { type Maintenance, maintenanceChange, maximumMaintenanceMessage } from '@roomkeeper/contract'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { client } from '#api/client.ts'
import { textOf } from '#api/text-of-error.ts'
import { useLeaveGuard } from '#ui/dialog/use-leave-guard.ts'
import { ProblemAlert } from '#ui/ProblemAlert.tsx'
import { Section } from '#ui/Section.tsx'
import { SubmitButton } from '#ui/SubmitButton.tsx'
import { toastSuccess } from '#ui/toast.ts'
import { useNumberFormat } from '#ui/use-number-format.ts'
import { maintenanceQuery } from './queries.ts'

/** @param stored what others change meanwhile is taken over until something is entered here */
export function MaintenanceForm({ stored }: { stored: Maintenance }) {
  const { t } = useTranslation('maintenance')
  const form = useEntries(stored)
  const save = useSave(form.forget)
  const [isVisited, setIsVisited] = useState(false)
  const message = useRef<HTMLTextAreaElement>(null)
  const isBlank = form.entries.maintenanceMessage.trim() === ''
  const isValid = maintenanceChange.safeParse(form.entries).success
  const error = isValid ? null : isBlank ? t('required') : t('tooLong', { count: maximumMaintenanceMessage })
  const submit = () => {
    setIsVisited(true)
    if (!isValid) message.current?.focus()
    else if (!save.isPending) save.mutate(form.entries)
  }
  useHotkeys([['mod+Enter', submit]], [])
  useLeaveGuard({
    isNeeded: () => form.hasChanges,
    title: t('leave.title'),
    text: t('leave.text'),
    stay: t('leave.stay'),
    leave: t('leave.discard'),
  })
  return (
    <form
      aria-label={t('title')}
      noValidate
      onSubmit={(event: FormEvent) => {
        event.preventDefault()
        submit()
      }}
    >
      <Section title={t('section')} hint={t('hint')}>
        {save.error !== null && (
          <ProblemAlert title={t('failed')} data-wide>
            {textOf(save.error)}
          </ProblemAlert>
        )}
        <div data-wide>
          <Checkbox
            label={t('mode')}
            checked={form.entries.maintenanceMode}
            onChange={(event) => form.set({ maintenanceMode: event.currentTarget.checked })}
          />
        </div>
        <div data-wide>
          <Textarea
            ref={message}
            label={t('message')}
            withAsterisk
            required
            autosize
            minRows={6}
            maxRows={18}
            error={isVisited || !isBlank ? error : null}
            value={form.entries.maintenanceMessage}
            onBlur={() => setIsVisited(true)}
            onChange={(event) => form.set({ maintenanceMessage: event.currentTarget.value })}
          />
        </div>
        <div data-wide>
          <Counter length={form.entries.maintenanceMessage.trim().length} />
          <SubmitButton why={error} isPending={save.isPending}>
            {t('save')}
          </SubmitButton>
        </div>
      </Section>
    </form>
  )
}

function Counter({ length }: { length: number }) {
  const { t } = useTranslation('maintenance')
  const number = useNumberFormat()
  return (
    <Text size="xs" c="dimmed" mb="sm" ta="right">
      {t('counter', { length: number.format(length), maximum: number.format(maximumMaintenanceMessage) })}
    </Text>
  )
}

/** What is entered over what is stored. */
function useEntries(stored: Maintenance) {
  const [changes, setChanges] = useState<Partial<Maintenance>>({})
  const entries = { ...stored, ...changes }
  return {
    entries,
    set: (more: Partial<Maintenance>) => setChanges({ ...changes, ...more }),
    forget: () => setChanges({}),
    hasChanges:
      entries.maintenanceMode !== stored.maintenanceMode || entries.maintenanceMessage !== stored.maintenanceMessage,
  }
}

function useSave(onSaved: () => void) {
  const { t } = useTranslation('maintenance')
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: async (body: Maintenance) => (await client.call('saveMaintenance', { body })).body,
    onSuccess: (saved) => {
      queryClient.setQueryData(maintenanceQuery.queryKey, saved)
      toastSuccess(t('title'), t('saved'))
      onSaved()
    },
  })
}
