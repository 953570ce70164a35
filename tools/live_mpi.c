/* Eight ranks over IP: an all-reduce and a ring, with checked results. */
#include <mpi.h>
#include <stdio.h>

enum { NUMBERS = 1000, ROUNDS = 5 };

int main(int argc, char **argv)
{
    int rank, ranks, wrong = 0;
    long own[NUMBERS], sum[NUMBERS];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    double start = MPI_Wtime();
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < NUMBERS; i++)
            own[i] = (long)rank * i + round;
        MPI_Allreduce(own, sum, NUMBERS, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
        for (int i = 0; i < NUMBERS; i++)
            wrong += sum[i] != (long)ranks * (ranks - 1) / 2 * i + (long)ranks * round;
    }
    double reduced = MPI_Wtime();
    /* Every rank adds its number to what its neighbour sends. */
    long passed = rank == 0 ? 1000 : 0;
    int next = (rank + 1) % ranks, before = (rank + ranks - 1) % ranks;
    if (rank == 0)
        MPI_Send(&passed, 1, MPI_LONG, next, 0, MPI_COMM_WORLD);
    MPI_Recv(&passed, 1, MPI_LONG, before, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    passed += rank;
    if (rank != 0)
        MPI_Send(&passed, 1, MPI_LONG, next, 0, MPI_COMM_WORLD);
    else
        wrong += passed != 1000 + (long)ranks * (ranks - 1) / 2;
    double ended = MPI_Wtime();
    int all_wrong = 0;
    MPI_Reduce(&wrong, &all_wrong, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("{\"ranks\": %d, \"wrong\": %d, \"allreduce_ms\": %.2f, \"ring_ms\": %.2f}\n", ranks, all_wrong,
               1000 * (reduced - start) / ROUNDS, 1000 * (ended - reduced));
    MPI_Finalize();
    return all_wrong != 0;
}
