import { useRouter } from '@tanstack/react-router'
import { Suspense, useCallback, useLayoutEffect, useState } from 'react'
import { createPortal } from 'react-dom'
import { useTranslation } from 'react-i18next'
import { queryClient } from '#api/queries.ts'
import { FullScreenSpinner } from '#ui/FullScreenSpinner.tsx'
import { coverPage } from './cover-page.ts'
import { SignInAgain } from './SignInAgain.tsx'

/**
 * After a session has expired: a sign-in over a page that holds something unsaved. Nothing of the page can be read or
 * reached until the same operator has signed in again, in any tab; for another one the page is dropped.
 */
export function SignInCover({ onReturned }: { onReturned: () => void }) {
  const { t } = useTranslation(['session', 'app'])
  const router = useRouter()
  const [place, setPlace] = useState<HTMLElement | null>(null)
  const title = t('app:pageTitle', { page: t('title') })
  useLayoutEffect(() => {
    const cover = coverPage(title, router.state.location.href)
    setPlace(cover.place)
    return cover.uncover
  }, [title, router])
  const onFound = useCallback(
    (who: 'same' | 'other') => {
      if (who === 'other') return router.navigate({ to: '/project/administration', replace: true, ignoreBlocker: true })
      onReturned()
      // What failed, and what may have changed meanwhile, is asked again.
      void queryClient.invalidateQueries()
      return router.invalidate()
    },
    [router, onReturned],
  )
  if (place === null) return null
  return createPortal(
    <Suspense fallback={<FullScreenSpinner />}>
      <SignInAgain onFound={onFound} />
    </Suspense>,
    place,
  )
}
