import { Text } from '@mantine/core'
import { IconBarrierBlock } from '@tabler/icons-react'
import { QueryClientProvider } from '@tanstack/react-query'
import { useNavigate, useRouter, useRouterState, useSearch } from '@tanstack/react-router'
import { type MouseEvent, type ReactNode, Suspense, useCallback, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { followEvents } from '#api/event-stream.ts'
import { useRefetchOnEvents } from '#api/follow-up.ts'
import { SignOutContext } from '#api/OperatorContext.tsx'
import { queryClient, regionsQuery, tellFailuresBy } from '#api/queries.ts'
import { useMaintenance } from '#maintenance/index.ts'
import { OperationsIndicator } from '#operations/index.ts'
import { lastRoomsSearch } from '#rooms/index.ts'
import {
  changeInOtherTab,
  expire,
  followSignOut,
  SignInCover,
  signOut,
  useSessionEnding,
  watchForExpiry,
} from '#session/index.ts'
import { DialogHost } from '#ui/dialog/DialogHost.tsx'
import { isPageCovered, useDialogsOfPage, useOpenDialogs } from '#ui/dialog/open-dialogs.ts'
import { ErrorBoundary } from '#ui/ErrorBoundary.tsx'
import { FullScreenSpinner } from '#ui/FullScreenSpinner.tsx'
import { keepFocus } from '#ui/keep-focus.ts'
import { onDemand, toastLoadFailed } from '#ui/on-demand.tsx'
import { GoToListContext } from '#ui/Page.tsx'
import { toastError } from '#ui/toast.ts'
import { Header } from './Header.tsx'
import { Navigation } from './Navigation.tsx'
import classes from './OperatorLayout.module.css'

const CloudAtAddress = onDemand(() => import('./CloudAtAddress.tsx'), 'CloudAtAddress')

const checkMilliseconds = 1000

tellFailuresBy(toastError)

/** The frame of every operator page: header above, page below. */
export function OperatorLayout({ children }: { children: ReactNode }) {
  const router = useRouter()
  const navigate = useNavigate()
  const goToList = useCallback(
    () => void navigate({ to: '/project/administration', search: lastRoomsSearch() }),
    [navigate],
  )
  const { goAfterExpiry, goAfterSignOut } = useGoToSignIn()
  const [isCovered, setIsCovered] = useState(false)
  const onExpired = useCallback(() => {
    if (expire(router.state.location.href)) setIsCovered(true)
    else goAfterExpiry()
  }, [router, goAfterExpiry])
  useEffect(() => watchForExpiry(onExpired), [onExpired])
  useEffect(startEventStream, [])
  useEffect(keepFocus, [])
  useFocusOnNewPage()
  useOtherTabs(onExpired, goAfterSignOut)
  const signOutAndLeave = useCallback(() => {
    signOut()
    goAfterSignOut()
  }, [goAfterSignOut])
  useSessionEnding(onExpired, signOutAndLeave)
  return (
    <QueryClientProvider client={queryClient}>
      <SignOutContext value={signOutAndLeave}>
        <div className={classes.root}>
          <SkipLink />
          <Header />
          <Navigation />
          <LiveRegions />
          <MaintenanceBanner />
          <main id="content" tabIndex={-1} className={classes.main}>
            <GoToListContext value={goToList}>{children}</GoToListContext>
            <div id="overlays" />
          </main>
        </div>
        <Cloud />
        <Dialogs />
        {isCovered && <SignInCover onReturned={() => setIsCovered(false)} />}
      </SignOutContext>
    </QueryClientProvider>
  )
}

/** The focus goes on from the new page, not from the link that led to it. A page that has taken the focus keeps it. */
function useFocusOnNewPage(): void {
  const page = useRouterState({ select: ({ resolvedLocation }) => resolvedLocation?.pathname })
  const before = useRef(page)
  useEffect(() => {
    const isNew = before.current !== undefined && before.current !== page
    before.current = page
    const content = document.getElementById('content')
    if (isNew && !isPageCovered() && !content?.contains(document.activeElement)) content?.focus({ preventScroll: true })
  }, [page])
}

/** The first stop of the Tab key: past the header, to the page. */
function SkipLink() {
  const { t } = useTranslation('app')
  // Not by the address: its fragment would be an entry in the history.
  const skip = (event: MouseEvent) => {
    event.preventDefault()
    document.getElementById('content')?.focus()
  }
  return (
    // biome-ignore lint/a11y/useValidAnchor: it leads to a place on this page.
    <a href="#content" className={classes.skip} onClick={skip}>
      {t('skip')}
    </a>
  )
}

/** Keeps the live events coming until the returned function is called. */
function startEventStream(): () => void {
  const over = new AbortController()
  followEvents(over.signal)
  return () => over.abort()
}

/** Keeps the regions up to date wherever they are shown. */
function LiveRegions() {
  useRefetchOnEvents(regionsQuery.queryKey, ({ type }) => type === 'region')
  return null
}

/** Tells every operator that maintenance mode is on, with the message for visitors, or that this console is a drill. */
function MaintenanceBanner() {
  const { t } = useTranslation('app')
  const { data } = useMaintenance()
  return (
    <div role="status" aria-label={t('header.maintenance')}>
      {data?.isDrill === true && <Banner title={t('drillBanner')} text={t('drillMessage')} />}
      {data?.maintenanceMode === true && <Banner title={t('maintenanceBanner')} text={data.maintenanceMessage} />}
    </div>
  )
}

function Banner({ title, text }: { title: string; text: string }) {
  return (
    <div className={classes.banner}>
      <IconBarrierBlock size={18} stroke={1.8} aria-hidden />
      <Text component="strong" inherit fw={600} flex="none">
        {title}
      </Text>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls must be reachable by keyboard. */}
      <p tabIndex={0} className="rk-text">
        {text}
      </p>
    </div>
  )
}

/** The Manage Cloud dialog is open while the address names one of its tabs. */
function Cloud() {
  const isOpen = useSearch({ from: '/project/_signed-in', select: ({ cloud }) => cloud !== undefined })
  const navigate = useNavigate()
  const giveUp = () => {
    toastLoadFailed()
    void navigate({ to: '.', search: (search) => ({ ...search, cloud: undefined }), replace: true, resetScroll: false })
  }
  return (
    isOpen && (
      <ErrorBoundary onError={giveUp}>
        <Suspense fallback={<FullScreenSpinner isOverlay />}>
          <CloudAtAddress />
        </Suspense>
      </ErrorBoundary>
    )
  )
}

function Dialogs() {
  useDialogsOfPage()
  const areOpen = useOpenDialogs().length > 0
  return (
    areOpen && (
      <>
        <DialogHost />
        <ErrorBoundary>
          <OperationsIndicator />
        </ErrorBoundary>
      </>
    )
  )
}

/** Follows the session in other tabs: its end there ends it here; a new sign-in there is used here, too. */
function useOtherTabs(onExpired: () => void, goAfterSignOut: () => void) {
  const router = useRouter()
  useEffect(() => {
    const check = () => {
      const change = changeInOtherTab()
      if (change === 'replaced') void router.invalidate()
      if (change === 'signed-out') {
        followSignOut()
        goAfterSignOut()
      }
      if (change === 'expired') onExpired()
    }
    const timer = setInterval(check, checkMilliseconds)
    // The end of a session clears storage. In hidden tabs the timer may come a minute late, this event does not.
    addEventListener('storage', check)
    return () => {
      clearInterval(timer)
      removeEventListener('storage', check)
    }
  }, [router, onExpired, goAfterSignOut])
}

/** Goes to the sign-in, without asking about unsaved changes. After an expiry, signing in returns to this page. */
function useGoToSignIn() {
  const router = useRouter()
  const goToSignIn = useCallback(
    (state: { returnTo?: string }) => {
      void router.navigate({ to: '/project/operator', state, ignoreBlocker: true })
    },
    [router],
  )
  const goAfterExpiry = useCallback(() => goToSignIn({ returnTo: router.state.location.href }), [goToSignIn, router])
  const goAfterSignOut = useCallback(() => goToSignIn({}), [goToSignIn])
  return { goAfterExpiry, goAfterSignOut }
}
