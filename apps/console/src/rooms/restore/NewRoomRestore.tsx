import { Checkbox } from '@mantine/core'
import type { ImportedRoom, RoomDraft } from '@roomkeeper/contract'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { client, useIdempotencyKey } from '#api/client.ts'
import { toastAccepted } from '#operations/index.ts'
import { Section } from '#ui/Page.tsx'
import { NoteAlert } from '#ui/ProblemAlert.tsx'
import { NewRoomForm } from '../form/NewRoomForm.tsx'
import { formOf } from '../form/room-form.ts'
import { BackupFacts, ConsentBox } from './BackupReview.tsx'
import { BackupUpload } from './ClassicRestore.tsx'

interface NewRoomRestoreProps {
  /** The name of the room, which does not exist yet. */
  name: string
  onAccepted: () => void
}

export function NewRoomRestore({ name, onAccepted }: NewRoomRestoreProps) {
  const { t } = useTranslation('restore')
  const [found, setFound] = useState<ImportedRoom | null>(null)
  const [confirmOtherRoom, setConfirmOtherRoom] = useState(false)
  const take = (room: ImportedRoom | null) => {
    setFound(room)
    setConfirmOtherRoom(false)
  }
  const isOther = found !== null && found.backup.roomName !== name
  return (
    <>
      <NoteAlert>{t('newRoom.text', { name })}</NoteAlert>
      <Section title={t('newRoom.backup')} hint={t('newRoom.hint')}>
        <div data-wide className="rk-column">
          <BackupUpload route="uploadImport" onAnswer={take} />
          {found !== null && <BackupFacts backup={found.backup} />}
          {isOther && (
            <ConsentBox>
              <Checkbox
                label={t('confirmOtherRoom', { backup: found.backup.roomName, room: name })}
                checked={confirmOtherRoom}
                onChange={(event) => setConfirmOtherRoom(event.currentTarget.checked)}
              />
            </ConsentBox>
          )}
        </div>
      </Section>
      {found !== null && (!isOther || confirmOtherRoom) && (
        <Form found={{ ...found, tenantName: name }} confirmOtherRoom={confirmOtherRoom} onAccepted={onAccepted} />
      )}
    </>
  )
}

interface FormProps {
  found: ImportedRoom
  confirmOtherRoom: boolean
  onAccepted: () => void
}

function Form({ found, confirmOtherRoom, onAccepted }: FormProps) {
  const { t } = useTranslation('restore')
  const keyFor = useIdempotencyKey()
  const texts = {
    submit: t('newRoom.submit'),
    failed: t('failed'),
    afterFailure: t('againIsSafe'),
    leave: t('leave.title'),
  }
  const send = (projectRoom: RoomDraft) => {
    const body = { projectRoom, tmpFileName: found.tmpFileName, confirmOtherRoom }
    return client.call('restoreRoom', { body, headers: keyFor(body) })
  }
  return (
    <NewRoomForm
      // Another backup resets the form.
      key={found.tmpFileName}
      initial={formOf(found)}
      fixed={['tenantName', 'product']}
      texts={texts}
      alwaysConfirmsLeaving
      send={send}
      onAccepted={({ tenantName }, operationId) => {
        toastAccepted(operationId, { title: t('accepted.title'), text: t('newRoom.accepted', { name: tenantName }) })
        onAccepted()
      }}
    />
  )
}
