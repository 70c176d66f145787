import type { Route } from '@roomkeeper/contract'
import type { View } from '#output/view.ts'

type Row = Pick<Route, 'method' | 'path' | 'access' | 'summary'> & { name: string }

export const routeView: View<Row> = {
  name: ({ name }) => name,
  none: '',
  fields: ['name', 'method', 'path', 'access', 'summary'],
  columns: [
    { title: 'CALL', rank: 0, value: ({ name }) => name },
    { title: 'WHO', rank: 3, value: ({ access }) => access },
    { title: 'METHOD', rank: 2, value: ({ method }) => method },
    { title: 'PATH', rank: 1, value: ({ path }) => path },
    { title: 'WHAT', rank: 4, value: ({ summary }) => summary },
  ],
}
