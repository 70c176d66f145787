/**
 * What the simulations are fed with, and what they are checked against. Calls and creations come from docs/growth.json,
 * where the costs and the rate of one run stand together; the rest from the tables of docs/performance.md.
 */
import { join } from 'node:path'
import { repository } from '@roomkeeper/dev-env'
import { newestPoints, type Point, readPoints } from '../growth/growth-points.ts'
import type { CallCosts, CreationCosts, MoveCosts } from './models.ts'

export interface Costs {
  call: CallCosts
  creation: CreationCosts
  move: MoveCosts
  /** Of lists and the like by the number of rooms, from the fewest on. */
  points: Point[]
  /** The point that calls and creations come from. */
  usual: Point
}

const usualSize = 1_000_000

/** Chosen so that what one client measures alone comes out; everything with more clients is then told by the model. */
const fitted = {
  /** CPU of the program that asks, for one call, in milliseconds. Chosen for the rate of 16 clients. */
  client: 0.4,
  /** Chosen for one creation alone. */
  commit: 0.5,
  /** Chosen for the rate of four moves at once. */
  waitsOfMove: 260,
}

/** 'How to read it' in docs/scale.md: milliseconds of CPU per room of 5 MB. */
const move = { server: 30, regions: 83, children: 40, postgres: 34 }

/** @throws Error when docs/growth.json lacks a measure that is needed */
export async function readCosts(file = join(repository, 'docs/growth.json')): Promise<Costs> {
  const points = newestPoints(await readPoints(file))
  const usual = points.find(({ size }) => size === usualSize)
  if (usual === undefined) throw new Error(`${file} has no point for ${usualSize.toLocaleString('en')} rooms.`)
  const of = (name: string) => measureOf(usual, name)
  return {
    call: { client: fitted.client, server: of('calls.server-cpu'), postgres: of('calls.postgres-cpu') },
    creation: {
      client: fitted.client,
      api: of('create.api-cpu'),
      worker: of('create.worker-cpu'),
      region: of('create.region-cpu'),
      postgres: of('create.postgres-cpu'),
      commit: fitted.commit,
    },
    move: { ...move, waits: fitted.waitsOfMove },
    points,
    usual,
  }
}

export function measureOf(point: Point, name: string): number {
  const measure = point.measures[name]
  if (measure === undefined) throw new Error(`The measure ${name} of ${point.size} rooms is missing.`)
  return measure.value
}
