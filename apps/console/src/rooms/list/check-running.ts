import i18next from 'i18next'
import { client } from '#api/client.ts'
import { isSessionEnd } from '#api/text-of-error.ts'
import { toastError, toastSuccess, toastWarning } from '#ui/toast.ts'

/**
 * Checks whether the room's operation is still running and shows the result in a toast.
 * @returns whether the list may be out of date
 */
export async function checkRunning(name: string): Promise<boolean> {
  const title = i18next.t('rooms:running.title', { name })
  try {
    const { body: isRunning } = await client.call('isRunning', { params: { projectRoomName: name } })
    if (isRunning) toastSuccess(title, i18next.t('rooms:running.still'))
    else toastWarning(title, i18next.t('rooms:running.over'))
    return !isRunning
  } catch (error) {
    if (!isSessionEnd(error)) toastError(title, i18next.t('rooms:running.failed'))
    return false
  }
}
