import { Text } from '@mantine/core'
import { type DeletedRoom, routes } from '@roomkeeper/contract'
import { isOfferedFor } from '@roomkeeper/rules'
import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { client, useIdempotencyKey } from '#api/client.ts'
import { toastAccepted } from '#operations/index.ts'
import { RegionSelect } from '#regions/index.ts'
import { useCloseDialog } from '#ui/dialog/open-dialogs.ts'
import { TextField } from '#ui/form/Fields.tsx'
import { DialogButtons, Form, FormFailure } from '#ui/form/Form.tsx'
import { FormDialog } from '#ui/form/FormDialog.tsx'
import { useResourceForm } from '#ui/form/use-resource-form.ts'
import { formatBytes, formatMoment } from '#ui/format.ts'
import { DeletedLink } from './DeletedLink.tsx'

/** Brings a deleted room back, under another name or in another region if need be. */
export function RestoreDeletedDialog({ room }: { room: DeletedRoom }) {
  const { t } = useTranslation('deleted')
  return (
    <FormDialog title={t('restore.title', { name: room.projectRoomName })}>
      <RestoreForm room={room} />
    </FormDialog>
  )
}

/** The choice of the region that it was in. */
const asBefore = 'as-before'

function RestoreForm({ room }: { room: DeletedRoom }) {
  const { t, i18n } = useTranslation('deleted')
  const form = useRestoreForm(room)
  const { backup, product, regionName } = room
  return (
    <Form form={form}>
      {backup !== null && (
        <Text size="sm">
          {t('restore.text', { at: formatMoment(backup.createdAt), size: formatBytes(backup.size, i18n.language) })}
        </Text>
      )}
      <TextField
        name="tenantName"
        label={t('restore.name')}
        withAsterisk
        autoComplete="off"
        spellCheck={false}
        maxLength={64}
      />
      <RegionSelect
        name="region"
        label={t('restore.region')}
        description={t('restore.regionHint')}
        first={{ value: asBefore, label: t('restore.oldRegion', { region: regionName ?? '–' }) }}
        offers={(region) => isOfferedFor(product, region)}
      />
      <FormFailure title={t('restore.failed')} />
      <DialogButtons submit={t('restore.confirm')} />
    </Form>
  )
}

function useRestoreForm({ id, projectRoomName: was }: DeletedRoom) {
  const { t } = useTranslation('deleted')
  const close = useCloseDialog()
  const keyOf = useIdempotencyKey()
  const queryClient = useQueryClient()
  return useResourceForm({
    initial: { tenantName: was, region: asBefore },
    bodyOf: ({ tenantName, region }) => ({ tenantName, region: region === asBefore ? undefined : Number(region) }),
    schema: routes.restoreDeletedRoom.body,
    refusals: {
      'name-taken': 'tenantName',
      'region-full': 'region',
      'region-disabled': 'region',
      'product-not-served': 'region',
    },
    endsWithSuccess: true,
    submit: (body) => client.call('restoreDeletedRoom', { params: { id }, body, headers: keyOf(body) }),
    onSuccess: ({ body: { operationId } }, { tenantName }) => {
      const name = tenantName.trim()
      const open = (
        <Link to="/project/edit_project_room/$id" params={{ id: name }}>
          {t('restore.open', { name })}
        </Link>
      )
      toastAccepted(operationId, {
        title: t('restore.confirm'),
        text: t('restore.accepted', { name }),
        ends: {
          done: t('restore.done', { name }),
          afterDone: open,
          afterFailure: <DeletedLink name={was}>{t('toDeleted')}</DeletedLink>,
        },
      })
      close()
    },
    onSettled: () => {
      void queryClient.invalidateQueries({ queryKey: ['rooms'] })
      void queryClient.invalidateQueries({ queryKey: ['deleted-rooms'] })
    },
  })
}
