import { isAdministrator } from '@roomkeeper/rules'
import { useRouter } from '@tanstack/react-router'
import { useCallback, useEffect, useState } from 'react'
import { useOperator } from '#api/OperatorContext.tsx'
import { openDialog } from '#ui/dialog/open-dialogs.ts'
import { ManageCloudDialog } from './ManageCloudDialog.tsx'

/**
 * Shows the Manage Cloud dialog. Rendered while the address names one of its tabs: closing the dialog takes the tab out
 * of the address, and so does a role that may not see it.
 */
export function CloudAtAddress() {
  const { role } = useOperator()
  const isAdmin = isAdministrator(role)
  const [opening, setOpening] = useState(0)
  const leaveAddress = useLeaveAddress()
  // biome-ignore lint/correctness/useExhaustiveDependencies: opens the dialog again if the address asks for it again.
  useEffect(() => {
    if (!isAdmin) return void leaveAddress()
    let isOver = false
    const onClose = async () => {
      if (!isOver && (await leaveAddress())) setOpening((count) => count + 1)
    }
    const close = openDialog(<ManageCloudDialog />, {
      outlastsPage: true,
      parameter: 'cloud',
      // After a reload nothing has the focus.
      opener: document.activeElement === document.body ? document.getElementById('content') : document.activeElement,
      onClose: () => void onClose(),
    })
    return () => {
      isOver = true
      close()
    }
  }, [isAdmin, leaveAddress, opening])
  return null
}

/** @returns a function that takes the tab out of the address and tells whether the address names one again by then */
function useLeaveAddress(): () => Promise<boolean> {
  const router = useRouter()
  return useCallback(async () => {
    await router.navigate({
      to: '.',
      search: (search) => ({ ...search, cloud: undefined }),
      replace: true,
      resetScroll: false,
      // The dialog has asked about what is unsaved in it, and the page stays.
      ignoreBlocker: true,
    })
    return 'cloud' in router.latestLocation.search
  }, [router])
}
