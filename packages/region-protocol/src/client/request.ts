/** The HTTP request of a call of the route table: its method, and its path below the base path. */
import type { z } from 'zod'
import type { RegionParams, RegionQuery, RegionRoute } from '../route.ts'
import { type RegionRouteName, type RegionRoutes, regionRoutes } from '../routes.ts'

type Part<Name extends string, Value> = [Value] extends [undefined]
  ? { [K in Name]?: undefined }
  : { [K in Name]: Value }

type Given<Schema> = Schema extends z.ZodType ? z.input<Schema> : undefined

/** The input of a call. Fields with a default may be left out. */
export type RegionCallInput<R extends RegionRoute> = Part<'params', RegionParams<R>> &
  Part<'body', Given<R['body']>> & { query?: Partial<RegionQuery<R>> | undefined }

interface Target {
  params?: Record<string, unknown> | undefined
  query?: Record<string, unknown> | undefined
}

export interface CallRequest {
  name: RegionRouteName
  method: string
  path: string
}

/** Such as `GET rooms/{name}`, for people. */
export function nameOfCall(name: RegionRouteName): string {
  const { method, path } = regionRoutes[name]
  return `${method} ${path.slice(1).replace(/:(\w+)/g, '{$1}')}`
}

export function requestOf(name: RegionRouteName, { params, query }: Target): CallRequest {
  const { method, path } = regionRoutes[name]
  const filled = path.slice(1).replace(/:(\w+)/g, (_, key: string) => encodeURIComponent(String(params?.[key] ?? '')))
  if (query === undefined) return { name, method, path: filled }
  const search = new URLSearchParams()
  for (const [key, value] of Object.entries(query)) if (value !== undefined) search.set(key, String(value))
  return { name, method, path: `${filled}?${search}` }
}

export type JsonRoute = {
  [Name in RegionRouteName]: RegionRoutes[Name]['answer'] extends 'stream'
    ? never
    : RegionRoutes[Name] extends { bodyStream: true }
      ? never
      : Name
}[RegionRouteName]
