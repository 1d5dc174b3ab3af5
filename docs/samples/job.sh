#!/bin/bash
#SBATCH --job-name=relax
#SBATCH --nodes=2
#SBATCH --time=12:00:00
srun ./relax input.dat
