/** The cache of the server's answers, and the queries that several features share. */
import { type Answer, type CallInput, ProblemError, type RouteName, type Routes } from '@roomkeeper/contract'
import { MutationCache, QueryClient, queryOptions, type UseQueryResult, useQuery } from '@tanstack/react-query'
import { isSessionEnd, textOf } from '#locales/error-texts.ts'
import { loadTexts } from '#locales/load-texts.ts'
import { client, inBackground } from './client.ts'

declare module '@tanstack/react-query' {
  interface Register {
    /** The title of the toast that tells a failure, and its text if it is not the reason. Without a title, none is told. */
    mutationMeta: { failed?: string; failedText?: string }
  }
}

let tellFailure: (title: string, text: string) => void = () => undefined

/** Sets how failures of mutations are shown to the operator. */
export function tellFailuresBy(show: typeof tellFailure): void {
  tellFailure = show
}

/** Refusals are final; only transient failures (no connection, 5xx) are retried, twice. */
export const queryClient = new QueryClient({
  mutationCache: new MutationCache({
    onError: (error, _variables, _result, { meta }) => {
      if (meta?.failed !== undefined && !isSessionEnd(error)) tellFailure(meta.failed, meta.failedText ?? textOf(error))
    },
  }),
  defaultOptions: {
    // `always`, even if the browser seems to be offline: a failed call shows an error, a paused one would show nothing.
    // What was sent, such as a password, is forgotten with the form that sent it.
    mutations: { networkMode: 'always', gcTime: 0 },
    queries: {
      networkMode: 'always',
      staleTime: 10_000,
      refetchOnWindowFocus: false,
      retry: (failures, error) => failures < 2 && !(error instanceof ProblemError && error.problem.status < 500),
    },
  },
})

interface ApiQueryOptions {
  /**
   * Which fetches no operator has asked for, so that they must not keep an idle session alive: all, those after the first
   * answer, or those after the first answer to any key that differs only in its last part.
   */
  background?: 'always' | 'refetch' | 'refetch-of-similar'
  /** The namespaces of the texts that the answer needs; they are loaded with it. */
  texts?: readonly string[]
}

/** The query of a call, by a key of its own: its data is the body of the answer. */
export function apiQuery<const Key extends readonly unknown[], Name extends RouteName>(
  queryKey: Key,
  name: Name,
  input: Omit<CallInput<Routes[Name]>, 'headers' | 'signal'>,
  { background, texts }: ApiQueryOptions = {},
) {
  return queryOptions({
    queryKey,
    queryFn: async ({ signal, client: cache }): Promise<Answer<Name>['body']> => {
      const isKnown = (key: readonly unknown[]) =>
        cache.getQueriesData({ queryKey: key }).some(([, data]) => data !== undefined)
      const isBackground =
        background === 'always' ||
        (background === 'refetch' && cache.getQueryData(queryKey) !== undefined) ||
        (background === 'refetch-of-similar' && isKnown(queryKey.slice(0, -1)))
      const headers = isBackground ? inBackground : {}
      const loading = texts && loadTexts(...texts)
      const { body } = await client.call(name, { ...input, headers, signal } as CallInput<Routes[Name]>)
      await loading
      return body
    },
    staleTime: 0,
  })
}

/** All regions by id. Their room counts change with every creation, so they are refetched on each visit. */
export const regionsQuery = apiQuery(['regions'], 'regions', {}, { background: 'refetch' })

/** @returns a function that names a region by its id; an empty text for one that is not known or not loaded */
export function useRegionName(): (id: number) => string {
  const { data } = useQuery(regionsQuery)
  return (id) => data?.find((each) => each.regionId === id)?.regionName ?? ''
}

/**
 * The live migration configurations by id. Fetching the list clears the warning of each configuration that has no
 * unfinished room, so it is fetched only when the operator asks: by opening the dialog, or by Refresh.
 */
export const liveMigrationsQuery = {
  ...apiQuery(['live-migrations', 'list'], 'liveMigrations', {}),
  staleTime: Number.POSITIVE_INFINITY,
}

/** For how many days a room that is deleted now can come back; 0: no last backup is taken. For administrators only. */
export const keepDaysQuery = queryOptions({
  queryKey: ['deleted-rooms', 'keep-days'],
  queryFn: async ({ signal }) => (await client.call('deletedRooms', { query: { size: 1 }, signal })).body.keepDays,
  staleTime: 5 * 60_000,
})

/** The state of a query, for the table of its rows. @param failed the title if they could not be loaded */
export function loadStateOf(query: UseQueryResult, failed: string) {
  const { error, refetch, isPlaceholderData } = query
  return {
    failure: error === null || isSessionEnd(error) ? null : { title: failed, text: textOf(error) },
    onAgain: () => void refetch(),
    isOutdated: isPlaceholderData,
  }
}
