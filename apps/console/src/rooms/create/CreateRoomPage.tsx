import type { RoomDraft } from '@roomkeeper/contract'
import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { client, useIdempotencyKey } from '#api/client.ts'
import { toastAccepted } from '#operations/index.ts'
import { BackButton, Page } from '#ui/Page.tsx'
import { NewRoomForm } from '../form/NewRoomForm.tsx'
import { emptyRoomForm } from '../form/room-form.ts'

/** The screen that creates a project room. */
export function CreateRoomPage() {
  const { t } = useTranslation('create')
  const navigate = useNavigate()
  const keyFor = useIdempotencyKey()
  const goToList = () => void navigate({ to: '/project/administration' })
  const texts = { submit: t('submit'), failed: t('failed'), afterFailure: t('againIsSafe'), leave: t('leave') }
  return (
    <Page title={t('title')} width="form" before={<BackButton onClick={goToList} />}>
      <NewRoomForm
        initial={emptyRoomForm()}
        texts={texts}
        send={(draft: RoomDraft) => client.call('createRoom', { body: draft, headers: keyFor(draft) })}
        onAccepted={(draft, operationId) => {
          toastAccepted(operationId, {
            title: t('title'),
            text: t('accepted.text', { room: draft.tenantName }),
          })
          goToList()
        }}
      />
    </Page>
  )
}
