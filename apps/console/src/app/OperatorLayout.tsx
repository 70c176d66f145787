import { IconBarrierBlock } from '@tabler/icons-react'
import { QueryClientProvider } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { lazy, type ReactNode, Suspense, useCallback, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { startEventStream } from '#api/events.ts'
import { SignOutContext } from '#api/OperatorContext.tsx'
import { queryClient } from '#api/queries.ts'
import { useMaintenance } from '#maintenance/index.ts'
import { announceExpiry, changeElsewhere, signOut, useSessionEnding, watchForExpiry } from '#session/index.ts'
import { useDialogsOfPage, useOpenDialogs } from '#ui/dialog/open-dialogs.ts'
import { Header } from './Header.tsx'
import classes from './OperatorLayout.module.css'

const DialogHost = lazy(async () => ({ default: (await import('#ui/dialog/DialogHost.tsx')).DialogHost }))

const lookMilliseconds = 1000

/** The frame of every operator page: header above, page below. */
export function OperatorLayout({ children }: { children: ReactNode }) {
  const { leaveForNow, leaveForGood } = useLeave()
  useEffect(() => watchForExpiry(leaveForNow), [leaveForNow])
  useEffect(startEventStream, [])
  useOtherTabs(leaveForNow)
  const signOutAndLeave = useCallback(() => void signOut().then(leaveForGood), [leaveForGood])
  useSessionEnding(leaveForNow, signOutAndLeave)
  return (
    <QueryClientProvider client={queryClient}>
      <SignOutContext value={signOutAndLeave}>
        <div className={classes.root}>
          <Header />
          <MaintenanceBanner />
          <main className={classes.main}>
            {children}
            <div id="overlays" />
          </main>
        </div>
        <Dialogs />
      </SignOutContext>
    </QueryClientProvider>
  )
}

/** Tells every operator that visitors are kept out at the moment, and what they are told. */
function MaintenanceBanner() {
  const { t } = useTranslation('app')
  const { data } = useMaintenance()
  return (
    <div role="status" aria-label={t('header.maintenance')}>
      {data?.maintenanceMode === true && (
        <div className={classes.banner}>
          <IconBarrierBlock size={18} stroke={1.8} aria-hidden />
          <strong>{t('maintenanceBanner')}</strong>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls must be reachable by keyboard. */}
          <p tabIndex={0}>{data.maintenanceMessage}</p>
        </div>
      )}
    </div>
  )
}

/** What draws dialogs is loaded with the first one. */
function Dialogs() {
  useDialogsOfPage()
  const areOpen = useOpenDialogs().length > 0
  return (
    areOpen && (
      <Suspense>
        <DialogHost />
      </Suspense>
    )
  )
}

/** Follows what other tabs do to the session: logging out there ends it here, signing in again goes on with that. */
function useOtherTabs(leave: () => void) {
  const router = useRouter()
  useEffect(() => {
    const look = () => {
      const change = changeElsewhere()
      if (change === 'replaced') void router.invalidate()
      if (change !== 'ended') return
      announceExpiry()
      leave()
    }
    const timer = setInterval(look, lookMilliseconds)
    return () => clearInterval(timer)
  }, [router, leave])
}

/** Goes to the sign-in, unsaved changes or not; an expired session comes back to this page after signing in. */
function useLeave() {
  const router = useRouter()
  const leave = useCallback(
    (state: { returnTo?: string }) => {
      void router.navigate({ to: '/project/operator', state, ignoreBlocker: true })
    },
    [router],
  )
  const leaveForNow = useCallback(() => leave({ returnTo: router.state.location.href }), [leave, router])
  const leaveForGood = useCallback(() => leave({}), [leave])
  return { leaveForNow, leaveForGood }
}
